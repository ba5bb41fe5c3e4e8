// Serves pages of a site that is built with somebody else's library: each page is text, and its script is bundled with the published package.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'

export interface HostSite {
  url: string
  server: Server
  close(): Promise<void>
}

/** Answers one request: a page or a script, or undefined where there is none. */
export type Answer = (path: string, request: IncomingMessage) => Promise<string | undefined> | string | undefined

/** `answer` gives the text at a path; a path that ends in `.js` is a script. */
export async function serveHost(answer: Answer): Promise<HostSite> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname
    const text = await answer(path, request)
    response.statusCode = text === undefined ? 404 : 200
    response.setHeader('content-type', `text/${path.endsWith('.js') ? 'javascript' : 'html'}; charset=utf-8`)
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Bundles the script of a page; `options` are those of the framework's own builder. */
export async function bundle(contents: string, options: Parameters<typeof build>[0] = {}): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    ...options,
  })
  return outputFiles?.[0]?.text ?? ''
}

/** A tag as a server writes it into each page. */
export const tag = (attributes: Record<string, string>): string =>
  `<notification-center ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')}></notification-center>`
