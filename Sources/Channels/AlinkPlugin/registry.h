#ifndef ALINK_REGISTRY_H
#define ALINK_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

/// The devices and products that a broker knows, from files with a line for each.
struct alink_registry;

/// What a file has.
enum alink_file {
    /// Lines `PRODUCTKEY DEVICENAME DEVICESECRET`.
    ALINK_TRIPLES,
    /// Lines `PRODUCTKEY PRODUCTSECRET`, for dynamic registration.
    ALINK_PRODUCTS,
    /// Lines `PRODUCTKEY DEVICENAME CLIENTID TOKEN`, of devices that were registered without being known. The
    /// plugin writes this file itself.
    ALINK_TOKENS,
    ALINK_FILES,
};

/// An empty registry; `NULL` without memory.
struct alink_registry *alink_registry_make(void);

void alink_registry_free(struct alink_registry *registry);

/// Names a file; it is read with the next ``alink_registry_read``.
bool alink_registry_use(struct alink_registry *registry, enum alink_file file, const char *path);

/// Reads the files that have changed since they were read last. A file that cannot be read, or has a line that
/// is wrong, leaves what was read before.
/// - Parameter problem: gets a sentence about the first file that is wrong.
/// - Returns: the number of files that were read; -1 where one is wrong.
int alink_registry_read(struct alink_registry *registry, char *problem, size_t size);

/// How many lines of a file are known.
size_t alink_registry_count(const struct alink_registry *registry, enum alink_file file);

/// The secret of a device; `NULL` for one that is not known.
const char *alink_device_secret(
    const struct alink_registry *registry, const char *product, const char *device);

/// The secret of a product; `NULL` for one that is not known.
const char *alink_product_secret(const struct alink_registry *registry, const char *product);

/// The token of a device that was registered without being known, and its client id; `NULL` if it was not.
const char *alink_device_token(
    const struct alink_registry *registry, const char *product, const char *device,
    const char **client_id);

/// Calls `body` with the names of each device of the triples.
void alink_registry_each(
    const struct alink_registry *registry,
    void (*body)(const char *product, const char *device, void *context), void *context);

/// Whether tokens can be kept.
bool alink_keeps_tokens(const struct alink_registry *registry);

/// Keeps the token of a device, in place of its former one; the file is replaced as a whole.
/// - Returns: whether it was written.
bool alink_keep_token(
    struct alink_registry *registry, const char *product, const char *device,
    const char *client_id, const char *token);

#endif
