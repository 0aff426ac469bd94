//! CRC-32C with one lookup table, one byte at a time. It is here only for comparison: a recorder spends more
//! than half of its time on the checksum if it uses this method.

static TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82F6_3B78 } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
}

pub(crate) fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8))
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_the_same_checksum() {
        assert_eq!(super::crc32c(b"123456789"), varvite_codec::crc32c(b"123456789"));
    }
}
