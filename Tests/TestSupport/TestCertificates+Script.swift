extension TestCertificates {
    /// Makes every certificate in the folder `$1`. `openssl ca` is the one command that sets both dates.
    static let script = #"""
        set -eu
        cd "$1"
        umask 077
        key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
        authority() {
            key "$1.key"
            openssl req -x509 -new -key "$1.key" -days 30 -subj "/CN=$1" -out "$1.pem" \
                -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
        }
        # leaf NAME SUBJECT EXTENSIONS [FROM UNTIL [AUTHORITY [KEY]]]
        leaf() {
            openssl req -new -key "${7:-leaf.key}" -subj "/CN=$2" -out "$1.csr"
            printf '%b\n' "[leaf]\nkeyUsage=critical,digitalSignature\n$3" > "$1.ext"
            : > index.txt
            openssl ca -batch -notext -config ca.conf -extfile "$1.ext" -extensions leaf -in "$1.csr" \
                -cert "${6:-ca}.pem" -keyfile "${6:-ca}.key" -startdate "${4:-20200101000000Z}" \
                -enddate "${5:-20991231235959Z}" -out "$1.pem" 2> "$1.log"
        }
        mkdir issued
        cat > ca.conf <<END
        [ca]
        default_ca=house
        [house]
        database=index.txt
        rand_serial=yes
        unique_subject=no
        new_certs_dir=issued
        default_md=sha256
        policy=any
        [any]
        commonName=supplied
        END
        authority ca
        authority other-ca
        key leaf.key
        key other.key
        cp leaf.key open.key
        chmod 644 open.key
        : > empty.pem
        openssl genrsa -out weak.key 1024 2> weak.log
        openssl pkey -in leaf.key -aes128 -passout pass:secret -out locked.key
        server='extendedKeyUsage=serverAuth\nsubjectAltName='
        leaf good broker "${server}DNS:localhost,DNS:broker.example,IP:127.0.0.1"
        leaf wrong-authority broker "${server}DNS:localhost" '' '' other-ca
        leaf expired broker "${server}DNS:localhost" 20200101000000Z 20210101000000Z
        leaf not-yet-valid broker "${server}DNS:localhost" 20980101000000Z 20990101000000Z
        leaf wrong-host localhost "${server}DNS:b.example,DNS:c.example"
        leaf nul-in-name broker "${server}DER:30:19:82:17:6c:6f:63:61:6c:68:6f:73:74:00:2e:65:76:69:6c:2e:65:78:61:6d:70:6c:65"
        leaf top-level-wildcard broker "${server}DNS:*.localhost"
        leaf partial-wildcard broker "${server}DNS:bro*.broker.example"
        leaf wildcard broker "${server}DNS:*.broker.example"
        leaf common-name-only localhost extendedKeyUsage=serverAuth
        leaf common-name-beside-address localhost "${server}IP:127.0.0.1"
        leaf wrong-address 127.0.0.1 "${server}IP:127.0.0.2"
        leaf address-as-name broker "${server}DNS:127.0.0.1"
        leaf client-only broker 'extendedKeyUsage=clientAuth\nsubjectAltName=DNS:localhost'
        leaf large broker "${server}DNS:localhost,$(seq -f 'DNS:n%g.large.broker.example' -s , 1 1000)"
        leaf weak broker "${server}DNS:localhost" '' '' '' weak.key
        leaf client client 'extendedKeyUsage=clientAuth'
        leaf other-client client 'extendedKeyUsage=clientAuth' '' '' other-ca
        for name in client stranger; do
            leaf "new-$name" "$name" 'extendedKeyUsage=clientAuth' '' '' '' other.key
            cat other.key "new-$name.pem" > "new-$name.key"
            chmod 600 "new-$name.key"
        done
        openssl req -x509 -new -key leaf.key -days 30 -subj /CN=localhost -out self-signed.pem \
            -addext subjectAltName=DNS:localhost
        """#
}
