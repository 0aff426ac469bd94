/* Functions with the names of zstd, lz4 and BLAKE3, as a program with its own copies of these libraries has them. Only
 * `main` may call the first; Varvite must call its own copies, so the others end the program. */
#include <stdio.h>
#include <stdlib.h>

#define OURS(name)                                                  \
    void name(void);                                                \
    void name(void) {                                               \
        fprintf(stderr, "Varvite called " #name " of the program\n"); \
        abort();                                                    \
    }

unsigned ZSTD_versionNumber(void);
unsigned ZSTD_versionNumber(void) { return 7; }

OURS(ZSTD_compress)
OURS(ZSTD_compress2)
OURS(ZSTD_compressCCtx)
OURS(ZSTD_compressStream2)
OURS(ZSTD_createCCtx)
OURS(ZSTD_createDCtx)
OURS(ZSTD_decompress)
OURS(ZSTD_decompressDCtx)
OURS(ZSTD_decompressStream)
OURS(ZSTD_initStaticCCtx)
OURS(ZSTD_initStaticDCtx)
OURS(LZ4_compress_default)
OURS(LZ4_compress_fast_extState)
OURS(LZ4_compress_HC_extStateHC)
OURS(LZ4_decompress_safe)
OURS(blake3_hash_many_avx2)
OURS(blake3_hash_many_avx512)
OURS(blake3_hash_many_sse41)
OURS(blake3_compress_in_place_sse41)
