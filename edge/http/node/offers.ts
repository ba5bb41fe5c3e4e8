// Offers of other protocols are passed over, and their requests answered like any other (RFC 9110 section 7.8): the HTTP client of the JDK offers h2c with each request that is not TLS.

import { IncomingMessage } from 'node:http'

/**
 * The requests of a server whose only upgrade is the WebSocket at `path`. As soon as anybody listens for upgrades, node hands
 * over each connection that offers one, and answers no request on it. Which one it asks of the request's `upgrade`, and
 * nowhere else before version 24; so this is a class, which node makes.
 */
export function incomingWithWebSocketsAt(path: string): typeof IncomingMessage {
  return class extends IncomingMessage {
    // Not initialised here: the constructor above has set `upgrade` already.
    declare isOffered: boolean

    set upgrade(isOffered: boolean) {
      this.isOffered = isOffered
    }

    get upgrade(): boolean {
      return this.isOffered && (this.method === 'CONNECT' || this.url?.startsWith(path) === true)
    }
  }
}
