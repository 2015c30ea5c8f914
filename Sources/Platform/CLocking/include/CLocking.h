#ifndef CLOCKING_H
#define CLOCKING_H

/// Tell ThreadSanitizer, where it is linked, that a lock was taken and is about to be released.
/// `lock` identifies it. Without the sanitizer they do nothing.
void clocking_acquired(const void *lock);
void clocking_releasing(const void *lock);

#endif
