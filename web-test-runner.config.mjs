// Runs the widget's tests in real Chromium against the real edge server: `npx wtr`, or `npx wtr --files widget/elements/x.test.ts`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromeLauncher } from '@web/test-runner-chrome'
import { transform } from 'esbuild'
import { tsImport } from 'tsx/esm/api'

const { CHROMIUM_FLAGS, programPath } = await tsImport('./tools/programs/programs.ts', import.meta.url)

/** TypeScript and JSON of the sources, as the browser takes them. */
const typeScript = {
  name: 'type-script',
  resolveMimeType: ({ path }) => (path.endsWith('.ts') ? 'js' : undefined),
  async transform({ path, body }) {
    if (!path.endsWith('.ts')) return undefined
    const { code } = await transform(body, { loader: 'ts', target: 'es2022', sourcemap: 'inline', sourcefile: path })
    return code
  },
}

/** Runs a real edge beside the tests, and tells them its address at `/edge.json`. */
const realEdge = () => {
  let child
  let address
  return {
    name: 'real-edge',
    async serverStart() {
      child = spawn(process.execPath, ['--import', 'tsx', 'widget/test/edge-for-tests.ts'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      ;[address] = await once(createInterface({ input: child.stdout }), 'line')
    },
    serve: ({ path }) => (path === '/edge.json' ? { body: address, type: 'json' } : undefined),
    async serverStop() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

export default {
  files: ['widget/**/*.test.ts', '!widget/**/*.node.test.ts'],
  nodeResolve: { browser: true, exportConditions: ['browser', 'production'] },
  // One page at a time: a page behind another one draws no frames.
  concurrency: 1,
  testsFinishTimeout: 300_000,
  browserStartTimeout: 60_000,
  plugins: [typeScript, realEdge()],
  browsers: [
    chromeLauncher({
      launchOptions: { executablePath: programPath('chromium'), args: CHROMIUM_FLAGS },
    }),
  ],
  // A page that no longer draws fails by its first test, with its name, and not by the limit of the whole file.
  testFramework: { config: { ui: 'tdd', timeout: 45_000, bail: true } },
}
