// Partition tables (UEFI specification 2.10, chapter 5): read to tell sticks apart, written for a new data stick. All numbers are little-endian.
#include "init.h"

#include <string.h>

// 12 34 ... as it lies on the disk: the first three parts of an identifier are little-endian numbers.
static const uint8_t BASIC_DATA[16] = {0xa2, 0xa0, 0xd0, 0xeb, 0xe5, 0xb9, 0x33, 0x44, 0x87, 0xc0, 0x68, 0xb6, 0xb7, 0x26, 0x99, 0xc7};
static const uint8_t LINUX_DATA[16] = {0xaf, 0x3d, 0xc6, 0x0f, 0x83, 0x84, 0x72, 0x47, 0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4};
enum { HEADER_LENGTH = 92, ENTRIES_LENGTH = GPT_ENTRIES * GPT_ENTRY, MEBIBYTE = 2048 };

uint32_t crc32(const uint8_t *bytes, size_t length) {
    uint32_t sum = ~0u;
    while (length--) {
        sum ^= *bytes++;
        for (int bit = 0; bit < 8; bit++) sum = (sum >> 1) ^ (0xedb88320u & -(sum & 1));
    }
    return ~sum;
}

static uint64_t number(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    while (count--) value = value << 8 | bytes[count];
    return value;
}

static void put(uint8_t *bytes, int count, uint64_t value) {
    for (int index = 0; index < count; index++) bytes[index] = (uint8_t)(value >> 8 * index);
}

bool gpt_read(const uint8_t *bytes, struct gpt *table) {
    const uint8_t *header = bytes + SECTOR, *entries = bytes + 2 * SECTOR;
    uint8_t copy[HEADER_LENGTH];
    if (memcmp(header, "EFI PART", 8) || number(header + 12, 4) != HEADER_LENGTH || number(header + 72, 8) != 2) return false;
    if (number(header + 80, 4) != GPT_ENTRIES || number(header + 84, 4) != GPT_ENTRY) return false;
    memcpy(copy, header, HEADER_LENGTH);
    put(copy + 16, 4, 0);
    if (crc32(copy, HEADER_LENGTH) != number(header + 16, 4) || crc32(entries, ENTRIES_LENGTH) != number(header + 88, 4)) return false;
    memcpy(table->disk, header + 56, 16);
    for (int index = 0; index < 2; index++) {
        const uint8_t *entry = entries + index * GPT_ENTRY;
        table->first[index] = number(entry + 32, 8);
        table->last[index] = number(entry + 40, 8);
        for (int letter = 0; letter < NAME_LENGTH; letter++) {
            uint64_t code = number(entry + 56 + 2 * letter, 2);
            table->names[index][letter] = code == 0 ? 0 : code >= ' ' && code < 127 ? (char)code : '?';
            if (code == 0) break;
        }
        table->names[index][NAME_LENGTH] = 0;
    }
    return true;
}

void gpt_layout(uint64_t sectors, uint64_t first[2], uint64_t last[2]) {
    uint64_t end = (sectors - GPT_SECTORS) / MEBIBYTE * MEBIBYTE, drop = sectors / 4 / MEBIBYTE * MEBIBYTE;
    if (drop > (uint64_t)1024 * MEBIBYTE) drop = (uint64_t)1024 * MEBIBYTE;
    first[0] = MEBIBYTE;
    last[0] = MEBIBYTE + drop - 1;
    first[1] = last[0] + 1;
    last[1] = end - 1;
}

static void header(uint8_t *to, const uint8_t *entries, uint64_t here, uint64_t other, uint64_t table, uint64_t sectors, const uint8_t *disk) {
    memcpy(to, "EFI PART", 8);
    put(to + 8, 4, 0x10000);
    put(to + 12, 4, HEADER_LENGTH);
    put(to + 24, 8, here);
    put(to + 32, 8, other);
    put(to + 40, 8, GPT_SECTORS);
    put(to + 48, 8, sectors - GPT_SECTORS);
    memcpy(to + 56, disk, 16);
    put(to + 72, 8, table);
    put(to + 80, 4, GPT_ENTRIES);
    put(to + 84, 4, GPT_ENTRY);
    put(to + 88, 4, crc32(entries, ENTRIES_LENGTH));
    put(to + 16, 4, crc32(to, HEADER_LENGTH));
}

/// A random identifier of version 4.
static void identifier(uint8_t *to, const uint8_t *random) {
    memcpy(to, random, 16);
    to[7] = (to[7] & 0x0f) | 0x40;
    to[8] = (to[8] & 0x3f) | 0x80;
}

bool gpt_write(uint8_t *start, uint8_t *end, uint64_t sectors, const uint8_t *random) {
    if (sectors < DATA_LEAST) return false;
    memset(start, 0, GPT_SECTORS * SECTOR);
    memset(end, 0, (GPT_SECTORS - 1) * SECTOR);
    // The protective record: one partition of the type 0xee over everything, for programs that know no other table.
    uint8_t *record = start + 446;
    record[2] = 2;
    record[4] = 0xee;
    record[5] = record[6] = record[7] = 0xff;
    put(record + 8, 4, 1);
    put(record + 12, 4, sectors - 1 > 0xffffffff ? 0xffffffff : sectors - 1);
    start[510] = 0x55;
    start[511] = 0xaa;
    uint64_t first[2], last[2];
    gpt_layout(sectors, first, last);
    const char *names[2] = {DROP_NAME, VAULT_NAME};
    const uint8_t *types[2] = {BASIC_DATA, LINUX_DATA};
    uint8_t *entries = start + 2 * SECTOR, disk[16];
    for (int index = 0; index < 2; index++) {
        uint8_t *entry = entries + index * GPT_ENTRY;
        memcpy(entry, types[index], 16);
        identifier(entry + 16, random + 16 * (index + 1));
        put(entry + 32, 8, first[index]);
        put(entry + 40, 8, last[index]);
        for (int letter = 0; names[index][letter]; letter++) put(entry + 56 + 2 * letter, 2, (uint8_t)names[index][letter]);
    }
    identifier(disk, random);
    header(start + SECTOR, entries, 1, sectors - 1, 2, sectors, disk);
    memcpy(end, entries, ENTRIES_LENGTH);
    header(end + ENTRIES_LENGTH, entries, sectors - 1, 1, sectors - GPT_SECTORS + 1, sectors, disk);
    return true;
}
