/* The common parts of both clients: a server on loopback, a timer, and a message over TLS. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <openssl/ssl.h>

/* A server in a process of its own, which answers messages until it is stopped. */
struct server {
    int port;
    int process;
};

struct server server_start(void);
void server_stop(struct server server);

/* A timer that ticks every few milliseconds. */
int timer_new(int milliseconds);
void timer_wait(int timer);

/* Makes a client: the context that all its connections share. */
SSL_CTX *client_new(void);
/* Sends a message, and returns the length of the answer; -1 if there is no answer. */
int client_send(SSL_CTX *client, int port, const char *text);

#endif
