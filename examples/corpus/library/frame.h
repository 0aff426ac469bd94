/* Frames of messages: a length, a sum and the bytes. */
unsigned frame_sum(const unsigned char *bytes, unsigned length);
int frame_is_whole(const unsigned char *bytes, unsigned length, unsigned sum);
