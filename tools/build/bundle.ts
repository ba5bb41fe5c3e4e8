// Bundles our programs for Node with their packages: loading package files one by one takes a third of a start
// (docs/decisions/0034-typescript-and-bundles.md).

import { readFile } from 'node:fs/promises'
import type { BuildOptions, Plugin } from 'esbuild'

/** Packages with a binary, native or of WebAssembly. They are not bundled. */
const WITH_BINARY = ['better-sqlite3', 'libsql', 'esbuild', 'mrml', '@css-inline/css-inline']

// Empty map for package code: Node reads the whole source map at each start that enables maps.
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

/** Build options that all programs share; entry points and output are added by the caller. */
export const PROGRAM = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: WITH_BINARY,
  // CommonJS code in the packages calls `require` for Node's own modules.
  banner: {
    js: `import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url)`,
  },
  plugins: [unmapped],
  logLevel: 'warning',
} satisfies BuildOptions
