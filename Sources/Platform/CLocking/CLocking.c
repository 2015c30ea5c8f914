#include "CLocking.h"

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

void clocking_acquired(const void *lock) {
    if (__tsan_acquire) {
        __tsan_acquire((void *)lock);
    }
}

void clocking_releasing(const void *lock) {
    if (__tsan_release) {
        __tsan_release((void *)lock);
    }
}
