// expect: crash in play
// Overwrites the code that called it: the process is its own, so only it may suffer.
#include "hostile.h"

#include <link.h>
#include <sys/mman.h>

static int overwrite(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        ElfW(Phdr) const *part = &info->dlpi_phdr[i];
        uintptr_t const start = (info->dlpi_addr + part->p_vaddr) & ~(uintptr_t)4095;
        uintptr_t const end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) {
            continue;
        }
        if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE) == 0) {
            /* ud2, everywhere. */
            for (uintptr_t at = start; at + 1 < end; at += 2) {
                memcpy((void *)at, "\x0f\x0b", 2);
            }
            mprotect((void *)start, end - start, PROT_READ | PROT_EXEC);
        }
    }
    /* The program itself comes first, and is enough. */
    return 1;
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    dl_iterate_phdr(overwrite, NULL);
}
