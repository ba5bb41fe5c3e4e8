// Builds the widget, the dashboard and the demo's page, an environment for each kind of output; serves widget and page
// from their sources (`npm run dev`).

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildEnvironmentOptions, defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { serveDemo } from './demo/dev/serve-demo.ts'

const widget = (path: string): string => join(import.meta.dirname, 'widget', path)
const page = (path: string): string => join(import.meta.dirname, 'demo/page', path)
const { version, dependencies } = JSON.parse(readFileSync(widget('package.json'), 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}

/** English is in the scripts; each other language is a file. */
const LANGUAGES = readdirSync(widget('locales'))
  .map((name) => name.slice(0, -3))
  .filter((tag) => /^[a-z]{2}(-[A-Z][A-Za-z]+)?$/.test(tag) && tag !== 'en')

/** Later parts, by the names under which `widget/script.ts` loads them. */
const PARTS = {
  everyday: widget('everyday.ts'),
  realtime: widget('transport/realtime.ts'),
  extras: widget('elements/panel/extras.ts'),
  rare: widget('elements/panel/rare/rare.ts'),
  markdown: widget('elements/panel/message/markdown-view.ts'),
  settings: widget('elements/panel/settings/settings.ts'),
  touch: widget('elements/panel/swipe.ts'),
  placing: widget('elements/panel/placing.ts'),
  ...Object.fromEntries(LANGUAGES.map((tag) => [`lang-${tag}`, widget(`locales/${tag}.ts`)])),
}

/** Gives the later parts the Lit of the first script, so that a page runs one Lit (docs/decisions/0035-widget-parts.md). */
const oneLit: Plugin = {
  name: 'one-lit',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'parts' || name === 'debug',
  resolveId: {
    // Directives in `lit/directives/` import the core by a relative path. What they extend (`directive.js`) has no state.
    filter: { id: /^(lit|lit-html|lit\/html\.js|\.{1,2}\/lit-html\.js)$/ },
    handler: () => widget('provided-lit.ts'),
  },
}

/**
 * Leaves out the icons that the component library has as markup, which the policy forbids: those of the dashboard come from
 * its sprite (dashboard/elements/components.ts). They would be almost half of the button's file.
 */
const noOwnIcons: Plugin = {
  name: 'no-own-icons',
  applyToEnvironment: ({ name }) => name === 'dashboard',
  transform: {
    filter: { id: /\/webawesome\/dist\/chunks\//, code: /^\/\/ src\/components\/icon\/library\.system\.ts$/m },
    handler: () => ({
      code: `export const library_system_default = { name: 'system', resolver: () => '' }`,
      map: { mappings: '' },
    }),
  },
}

/** What the first script of the dashboard needs is one small file, which is here before the others. */
const BEGIN =
  /\/(contract\/delivery|dashboard\/(begin|api\/(addresses|early-answers)|lib\/(format|instant|kept-environment)|pages\/history\/filters|routing\/(prefix|routes)))\.ts$/

/** What most pages of the dashboard share is one file: a browser loads six files at once from a server without HTTP/2. */
const SHARED =
  /\/node_modules\/(@lit|lit|lit-element|lit-html)\/|\/dashboard\/((api|lib|routing)\/|elements\/(badge|bits|enter-button|fields|filter-fields|icon|states)\.ts|shell\/page-element\.ts)/

const built: BuildEnvironmentOptions = {
  target: 'es2022',
  sourcemap: true,
  emptyOutDir: false,
  copyPublicDir: false,
  modulePreload: false,
  reportCompressedSize: false,
}
const inBrowser = (build: BuildEnvironmentOptions): EnvironmentOptions => ({
  consumer: 'client',
  build: { ...built, outDir: widget('dist'), ...build },
})
const fileNames = { entryFileNames: '[name].js', chunkFileNames: '[name].js' }

export default defineConfig({
  root: page(''),
  publicDir: false,
  logLevel: 'warn',
  cacheDir: join(import.meta.dirname, 'node_modules/.vite'),
  // Our libraries are ES modules, which the dev server serves as they are.
  optimizeDeps: { noDiscovery: true },
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [oneLit, noOwnIcons, serveDemo()],
  builder: {},
  environments: {
    // The demo's page. Vite's dev server serves this environment.
    client: {
      build: {
        ...built,
        outDir: join(import.meta.dirname, 'demo/dist/page'),
        emptyOutDir: true,
        assetsDir: 'demo/assets',
        // The page's policy has no `data:` for scripts and styles, and one rule for all files is simpler.
        assetsInlineLimit: 0,
        rolldownOptions: { input: ['index', 'themes', 'gallery', 'gallery-state'].map((name) => page(`${name}.html`)) },
      },
    },
    // The dashboard: each page is a file of its own, loaded when it is first shown.
    dashboard: inBrowser({
      outDir: join(import.meta.dirname, 'dashboard/dist'),
      assetsDir: 'dashboard/assets',
      assetsInlineLimit: 0,
      manifest: true,
      rolldownOptions: {
        input: ['begin', 'main'].map((name) => join(import.meta.dirname, `dashboard/${name}.ts`)),
        output: {
          codeSplitting: {
            groups: [
              { name: 'begin', test: BEGIN, priority: 1 },
              { name: 'shared', test: SHARED },
              { name: 'components', test: /\/dashboard\/elements\/components\.ts$/ },
            ],
          },
        },
      },
    }),
    // The first script of a site, which runs as a classic script and as a module.
    script: inBrowser({
      lib: { entry: widget('script.ts'), formats: ['iife'], name: 'nc', fileName: () => 'notification-center.js' },
    }),
    // The later parts. They import what they share with the everyday part from its file.
    parts: inBrowser({
      rolldownOptions: {
        input: PARTS,
        preserveEntrySignatures: 'allow-extension',
        output: { ...fileNames, codeSplitting: { groups: [{ name: 'everyday', test: /\/widget\/everyday\.ts$/ }] } },
      },
    }),
    // Explains sessions in which the everyday part is missing, so it shares no file with it.
    debug: inBrowser({
      rolldownOptions: {
        input: { debug: widget('elements/debug/debug.ts') },
        preserveEntrySignatures: 'strict',
        output: fileNames,
      },
    }),
    // The package for bundlers, which resolve its dependencies.
    package: inBrowser({
      outDir: widget('dist/package'),
      lib: {
        entry: {
          index: widget('index.ts'),
          define: widget('define.ts'),
          headless: widget('headless.ts'),
          'react-18': widget('frameworks/react-18.ts'),
        },
        formats: ['es'],
      },
      rolldownOptions: {
        external: ['react', ...Object.keys(dependencies)].map((name) => new RegExp(`^${name}(/|$)`)),
        output: { entryFileNames: '[name].js', chunkFileNames: 'part-[name].js' },
      },
    }),
  },
})
