// How our programs for Node are bundled: with the packages that they use, because loading those file by file is a third of a start (docs/decisions/0205).

import { readFile } from 'node:fs/promises'
import type { BuildOptions, Plugin } from 'esbuild'

/** They have a binary, so they stay where npm has put them. */
const WITH_BINARY = ['better-sqlite3', 'libsql', 'esbuild']

// An empty map: of a package's code nobody wants to see more, and Node reads the whole map at each start that has maps.
const EMPTY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64')

const unmapped: Plugin = {
  name: 'unmapped',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]node_modules[/\\].*\.[cm]?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { contents: `${text}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`, loader: 'js' }
    })
  },
}

/** Without what goes in and where it goes to. */
export const PROGRAM = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: WITH_BINARY,
  // CommonJS among the packages asks for Node's own modules by it.
  banner: {
    js: `import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url)`,
  },
  plugins: [unmapped],
  logLevel: 'warning',
} satisfies BuildOptions
