// Serves the demo and the widget from their sources with hot reload (`npm run dev`): Vite's dev server at PORT, with the
// built server behind it. A change of the server itself needs another start.

import { spawn, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { createServer } from 'vite'
import { parseSettings } from '../edge/config.ts'
import { findFreePort } from './servers/server-process.ts'

const root = resolve(import.meta.dirname, '..')
const host = '127.0.0.1'
const { port } = parseSettings(process.env)

/** Paths that the server answers; all others are the page's. */
const SERVER_PATHS =
  '^/(?:v1|docs|openapi\\.json|healthz|readyz|metrics|widget|dashboard|org|sign-in|demo/(?:api|enrichers|jwks\\.json))(?:[/?]|$)'

const build = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'tools/build.ts', 'edge', 'demo', 'widget', 'dashboard'],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
if (build.status !== 0) process.exit(build.status ?? 1)

const serverPort = await findFreePort()
const server = spawn(process.execPath, ['--enable-source-maps', 'demo/dist/main.js'], {
  cwd: root,
  env: { ...process.env, HOST: host, PORT: String(serverPort), PUBLIC_URL: `http://${host}:${port}` },
  stdio: ['ignore', 'inherit', 'inherit'],
})
server.on('exit', (code) => process.exit(code ?? 1))

const vite = await createServer({
  configFile: resolve(root, 'vite.config.ts'),
  server: {
    host,
    port,
    strictPort: true,
    proxy: { [SERVER_PATHS]: { target: `http://${host}:${serverPort}`, ws: true } },
  },
})
await vite.listen()

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.kill(signal))
