#include "registry.h"
#include "topics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUCKETS 4096
#define WORDS 4
#define LINE 1024

/// A line of a file.
struct entry {
    struct entry *next;
    char *words[WORDS];
};

/// The lines of a file by their first words.
struct table {
    struct entry *buckets[BUCKETS];
    size_t count;
};

/// A file as it was when it was read last.
struct source {
    char *path;
    struct timespec modified;
    ino_t inode;
    off_t size;
    bool was_read;
    struct table *table;
};

struct alink_registry {
    struct source sources[ALINK_FILES];
};

/// How many words a line of each file has, and how many of them name what it is about.
static const struct {
    const char *form;
    int words, names;
} FORMS[ALINK_FILES] = {
    {"PRODUCTKEY DEVICENAME DEVICESECRET", 3, 2},
    {"PRODUCTKEY PRODUCTSECRET", 2, 1},
    {"PRODUCTKEY DEVICENAME CLIENTID TOKEN", 4, 2},
};

static size_t bucket(const char *one, const char *other) {
    size_t hash = 5381;
    for (; *one; one++) hash = hash * 33 ^ (unsigned char)*one;
    for (hash = hash * 33 ^ '/'; *other; other++) hash = hash * 33 ^ (unsigned char)*other;
    return hash % BUCKETS;
}

static void free_entry(struct entry *entry) {
    for (int i = 0; i < WORDS; i++) free(entry->words[i]);
    free(entry);
}

static void free_table(struct table *table) {
    if (!table) return;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct entry *entry = table->buckets[i], *next; entry; entry = next) {
            next = entry->next;
            free_entry(entry);
        }
    free(table);
}

static struct entry **place(struct table *table, const char *one, const char *other, int names) {
    struct entry **link = &table->buckets[bucket(one, names > 1 ? other : "")];
    while (*link
           && (strcmp((*link)->words[0], one) != 0
               || (names > 1 && strcmp((*link)->words[1], other) != 0)))
        link = &(*link)->next;
    return link;
}

static struct entry *find(
    const struct alink_registry *registry, enum alink_file file, const char *one,
    const char *other) {
    struct table *table = registry->sources[file].table;
    return table ? *place(table, one, other, FORMS[file].names) : NULL;
}

/// Adds a line, in place of one about the same; false without memory.
static bool add(struct table *table, enum alink_file file, char *words[WORDS]) {
    struct entry *entry = calloc(1, sizeof(*entry));
    if (!entry) return false;
    for (int i = 0; i < FORMS[file].words; i++) {
        entry->words[i] = strdup(words[i]);
        if (!entry->words[i]) {
            free_entry(entry);
            return false;
        }
    }
    struct entry **link = place(table, words[0], words[1], FORMS[file].names);
    if (*link) {
        struct entry *former = *link;
        entry->next = former->next;
        free_entry(former);
    } else {
        table->count++;
    }
    *link = entry;
    return true;
}

struct alink_registry *alink_registry_make(void) {
    return calloc(1, sizeof(struct alink_registry));
}

void alink_registry_free(struct alink_registry *registry) {
    if (!registry) return;
    for (int i = 0; i < ALINK_FILES; i++) {
        free(registry->sources[i].path);
        free_table(registry->sources[i].table);
    }
    free(registry);
}

bool alink_registry_use(struct alink_registry *registry, enum alink_file file, const char *path) {
    free(registry->sources[file].path);
    registry->sources[file].path = strdup(path);
    return registry->sources[file].path != NULL;
}

/// Whether the words of a line can be used: names of their grammar, and secrets that need no escape in JSON.
static bool are_usable(enum alink_file file, char *words[WORDS]) {
    for (int i = 0; i < FORMS[file].words; i++) {
        if (i < FORMS[file].names && !alink_is_name(words[i])) return false;
        if (strpbrk(words[i], "\"\\")) return false;
    }
    return true;
}

/// Reads the lines of a file; empty ones and those that begin with `#` are left out.
static struct table *read_lines(
    FILE *stream, enum alink_file file, const char *path, char *problem, size_t size) {
    struct table *table = calloc(1, sizeof(*table));
    char line[LINE];
    for (int number = 1; table && fgets(line, sizeof(line), stream); number++) {
        char *words[WORDS + 1] = {NULL}, *rest = NULL;
        int count = 0;
        char *word = strtok_r(line, " \t\r\n", &rest);
        for (; word && count <= WORDS; word = strtok_r(NULL, " \t\r\n", &rest))
            words[count++] = word;
        if (count == 0 || words[0][0] == '#') continue;
        if (count != FORMS[file].words || !are_usable(file, words)) {
            snprintf(problem, size, "%s:%d: write %s", path, number, FORMS[file].form);
            free_table(table);
            return NULL;
        }
        if (!add(table, file, words)) {
            free_table(table);
            table = NULL;
        }
    }
    if (!table) snprintf(problem, size, "%s: out of memory", path);
    return table;
}

static int read_source(
    struct source *source, enum alink_file file, char *problem, size_t size) {
    struct stat state;
    if (stat(source->path, &state) != 0) {
        // A file of tokens is made with the first one.
        if (file == ALINK_TOKENS && errno == ENOENT && !source->was_read) return 0;
        snprintf(problem, size, "%s: %s", source->path, strerror(errno));
        return -1;
    }
    if (source->was_read && state.st_ino == source->inode && state.st_size == source->size
        && state.st_mtim.tv_sec == source->modified.tv_sec
        && state.st_mtim.tv_nsec == source->modified.tv_nsec)
        return 0;
    // What is wrong is reported once, not with every look at the file.
    source->modified = state.st_mtim;
    source->inode = state.st_ino;
    source->size = state.st_size;
    source->was_read = true;
    FILE *stream = fopen(source->path, "re");
    if (!stream) {
        snprintf(problem, size, "%s: %s", source->path, strerror(errno));
        return -1;
    }
    struct table *table = read_lines(stream, file, source->path, problem, size);
    fclose(stream);
    if (!table) return -1;
    free_table(source->table);
    source->table = table;
    return 1;
}

int alink_registry_read(struct alink_registry *registry, char *problem, size_t size) {
    int count = 0;
    bool is_wrong = false;
    for (int file = 0; file < ALINK_FILES; file++) {
        if (!registry->sources[file].path) continue;
        char text[LINE];
        int result = read_source(&registry->sources[file], file, text, sizeof(text));
        if (result < 0 && !is_wrong) snprintf(problem, size, "%s", text);
        if (result < 0) is_wrong = true;
        else count += result;
    }
    return is_wrong ? -1 : count;
}

size_t alink_registry_count(const struct alink_registry *registry, enum alink_file file) {
    struct table *table = registry->sources[file].table;
    return table ? table->count : 0;
}

const char *alink_device_secret(
    const struct alink_registry *registry, const char *product, const char *device) {
    struct entry *entry = find(registry, ALINK_TRIPLES, product, device);
    return entry ? entry->words[2] : NULL;
}

const char *alink_product_secret(const struct alink_registry *registry, const char *product) {
    struct entry *entry = find(registry, ALINK_PRODUCTS, product, "");
    return entry ? entry->words[1] : NULL;
}

const char *alink_device_token(
    const struct alink_registry *registry, const char *product, const char *device,
    const char **client_id) {
    struct entry *entry = find(registry, ALINK_TOKENS, product, device);
    if (!entry) return NULL;
    if (client_id) *client_id = entry->words[2];
    return entry->words[3];
}

void alink_registry_each(
    const struct alink_registry *registry,
    void (*body)(const char *product, const char *device, void *context), void *context) {
    struct table *table = registry->sources[ALINK_TRIPLES].table;
    for (size_t i = 0; table && i < BUCKETS; i++)
        for (struct entry *entry = table->buckets[i]; entry; entry = entry->next)
            body(entry->words[0], entry->words[1], context);
}

bool alink_keeps_tokens(const struct alink_registry *registry) {
    return registry->sources[ALINK_TOKENS].path != NULL;
}

/// Writes all tokens into a file beside the old one, and puts it in its place.
static bool write_tokens(const struct source *source) {
    char path[LINE];
    int length = snprintf(path, sizeof(path), "%s.new", source->path);
    if (length < 0 || (size_t)length >= sizeof(path)) return false;
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return false;
    FILE *stream = fdopen(descriptor, "w");
    if (!stream) {
        close(descriptor);
        return false;
    }
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct entry *entry = source->table->buckets[i]; entry; entry = entry->next)
            fprintf(
                stream, "%s %s %s %s\n", entry->words[0], entry->words[1], entry->words[2],
                entry->words[3]);
    bool is_written = fflush(stream) == 0 && fsync(fileno(stream)) == 0;
    is_written = fclose(stream) == 0 && is_written;
    return is_written && rename(path, source->path) == 0;
}

bool alink_keep_token(
    struct alink_registry *registry, const char *product, const char *device,
    const char *client_id, const char *token) {
    struct source *source = &registry->sources[ALINK_TOKENS];
    if (!source->path) return false;
    if (!source->table) source->table = calloc(1, sizeof(*source->table));
    char *words[WORDS] = {
        (char *)product, (char *)device, (char *)client_id, (char *)token};
    return source->table && add(source->table, ALINK_TOKENS, words) && write_tokens(source);
}
