/*
 * Sends a message at each tick of a timer, and makes a new TLS client for each message. A heap profile shows this
 * churn.
 */
#include "../message.h"

#include <stdio.h>
#include <stdlib.h>

static int send_all(int port, int messages) {
    int answered = 0, timer = timer_new(2);
    for (int sent = 0; sent < messages; sent++) {
        timer_wait(timer);
        SSL_CTX *client = client_new();
        answered += client_send(client, port, "still there?") > 0;
        SSL_CTX_free(client);
    }
    return answered;
}

int main(int argc, char **argv) {
    int messages = argc > 1 ? atoi(argv[1]) : 50;
    struct server server = server_start();
    int answered = send_all(server.port, messages);
    server_stop(server);
    printf("%d of %d messages were answered\n", answered, messages);
    return answered != messages;
}
