// Runs nginx, Caddy or HAProxy with the file of `deploy/proxies` over a server on this machine, with a certificate of its own.

import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programPath } from '../programs/programs.ts'
import { startCleanupProcess } from '../servers/cleanup-process.ts'
import { findFreePort, startServer } from '../servers/server-process.ts'

export type ProxyName = 'nginx' | 'caddy' | 'haproxy'

interface Place {
  folder: string
  port: number
  target: string
}

/** Replaces what an operator writes into a file. @throws when the file has it not */
function fill(name: string, values: [from: string, to: string][]): string {
  const text = readFileSync(join(import.meta.dirname, '../../deploy/proxies', name), 'utf8')
  return values.reduce((filled, [from, to]) => {
    if (!filled.includes(from)) throw new Error(`${name} has no ${from}`)
    return filled.replaceAll(from, to)
  }, text)
}

const WRITE: Record<ProxyName, (place: Place) => string[]> = {
  nginx({ folder, port, target }) {
    const site = fill('nginx.conf', [
      ['listen 443', `listen 127.0.0.1:${port}`],
      ['127.0.0.1:3000', target],
      ['/etc/ssl/notify.example.com.pem', join(folder, 'tls.pem')],
      ['/etc/ssl/notify.example.com.key', join(folder, 'tls.key')],
    ])
    writeFileSync(join(folder, 'site.conf'), site)
    const main = `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\ninclude ${folder}/site.conf;\n}\n`
    writeFileSync(join(folder, 'nginx.conf'), main)
    return ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  },
  // Without HTTP/3, whose UDP port `findFreePort` has reserved.
  caddy({ folder, port, target }) {
    const tls = `  tls ${join(folder, 'tls.pem')} ${join(folder, 'tls.key')}\n`
    const site = fill('Caddyfile', [
      ['notify.example.com {\n', `https://127.0.0.1:${port} {\n${tls}`],
      ['127.0.0.1:3000', target],
    ])
    writeFileSync(
      join(folder, 'Caddyfile'),
      `{\n  admin off\n  auto_https disable_redirects\n  servers {\n    protocols h1 h2\n  }\n}\n${site}`,
    )
    return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  },
  haproxy({ folder, port, target }) {
    appendFileSync(join(folder, 'tls.pem'), readFileSync(join(folder, 'tls.key')))
    const file = fill('haproxy.cfg', [
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['127.0.0.1:3000', target],
      ['/etc/haproxy/notify.example.com.pem', join(folder, 'tls.pem')],
    ])
    writeFileSync(join(folder, 'haproxy.cfg'), file)
    return ['-db', '-f', join(folder, 'haproxy.cfg')]
  },
}

/** Resolves when it answers. @throws with its output when it does not start */
export async function runProxy(name: ProxyName, target: string): Promise<{ url: string; end(): Promise<void> }> {
  const path = programPath(name)
  const folder = mkdtempSync(join(tmpdir(), `nc-${name}-`))
  mkdirSync(join(folder, 'logs'))
  const certificate = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.pem')]
  await promisify(execFile)(programPath('openssl'), [...certificate, ...subject, ...files])
  const port = await findFreePort()
  const args = WRITE[name]({ folder, port, target })
  const cleanup = startCleanupProcess(folder)
  const url = `https://127.0.0.1:${port}`
  const isReady = () => answers(`${url}/readyz`)
  const program = { path, args, isReady, stopSignal: 'SIGTERM' as const }
  const server = await startServer(url, { folder, owner: undefined, cleanup }, program)
  return {
    url,
    async end() {
      await server.stop()
      await server.remove()
    },
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request(url, { rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asking.on('error', () => resolve(false))
    asking.end()
  })
}
