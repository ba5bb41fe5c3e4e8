// Builds the widget into dist/. Run `node --import tsx widget/build.mjs`; answers with the sizes that were measured.
//   dist/notification-center.js          the one script, classic or module
//   dist/{everyday,extras,rare,markdown,long,settings,touch,placing,debug,lang-…}.js  its later parts, modules
//   dist/<version>/…                     the same, for a static host; the edge serves both paths from the flat files
//   dist/themes/…                        the ready themes
//   dist/integrity.json                  sha384 of each file
//   dist/package/…                       the package for bundlers, with its types, as a folder that npm installs

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
import { build } from 'vite'
import { LIMITS } from '../contract/limits.ts'
import { describeElement } from './custom-elements.ts'
import { listPrivateNames } from './private-names.ts'

// Whatever the caller's says: Vite would take lit as its developers want it, which is larger and warns on the console.
process.env.NODE_ENV = 'production'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const at = (path) => join(here, path)

/** White space of the style sheets: nobody reads them in the bundle. */
const squeezeStyles = {
  name: 'squeeze-styles',
  enforce: 'pre',
  transform(code, id) {
    if (!/(\.styles|\/extras|\/rare|\/markdown-view|\/long-list|\/settings|\/swipe)\.ts$/.test(id)) return undefined
    const squeezed = code.replace(/createSheet\(`([^`]*)`\)/g, (_, css) => {
      const short = css
        .replace(/\s+/g, ' ')
        .replace(/ ?([{};,>]) ?/g, '$1')
        .replace(/([a-z-]): /g, '$1:')
        .replace(/;}/g, '}')
        .trim()
      return `createSheet(\`${short}\`)`
    })
    return { code: squeezed, map: null }
  },
}

/** Templates lose the line breaks and indents between their tags, which would be text nodes for nothing. */
const squeezeTemplates = {
  name: 'squeeze-templates',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/elements\/.+\.ts$/.test(id) || !code.includes('html`')) return undefined
    const squeezed = code
      .replace(/(?<=[>}])\n\s+(?=<|\$\{)|\n\s+(?=<\/|\/?>)/g, '')
      .replace(/\n\s{4,}(?=[a-z@?.-]+=)/g, ' ')
    return { code: squeezed, map: null }
  },
}

/** Numbers of the contract stand for themselves: of an object whose members are looked up, all would stay. */
const inlineLimits = {
  name: 'inline-limits',
  enforce: 'pre',
  transform(code, id) {
    if (!/\.ts$/.test(id) || !code.includes('contract/limits.ts')) return undefined
    return { code: code.replace(/\bLIMITS\.(\w+)/g, (_, name) => String(LIMITS[name])), map: null }
  },
}

/** What every session needs once the badge is painted, as one file: the inbox with its socket, and the panel (docs/decisions/0035-widget-parts.md). */
const EVERYDAY = 'virtual:everyday'
const everyday = {
  name: 'everyday',
  resolveId: (id) => (id === EVERYDAY ? id : undefined),
  load: (id) =>
    id === EVERYDAY
      ? // The words in front: this order packs better by 0.2 %.
        ['locales/en.ts', 'inbox/inbox-core.ts', 'elements/panel/panel.ts']
          .map((path, place) => `${place === 0 ? 'import' : 'export * from'} ${JSON.stringify(at(path))}`)
          .join(';')
      : undefined,
}

const options = (more) => ({
  configFile: false,
  root: here,
  logLevel: 'warn',
  define: { __VERSION__: JSON.stringify(version), 'process.env.NODE_ENV': '"production"' },
  plugins: [squeezeStyles, squeezeTemplates, inlineLimits, everyday],
  ...more,
})
/** All but English, which is in the scripts: each its own file. */
const LANGUAGES = readdirSync(at('locales'))
  .map((name) => name.slice(0, -3))
  .filter((tag) => /^[a-z]{2}(-[A-Z][A-Za-z]+)?$/.test(tag) && tag !== 'en')
const output = {
  outDir: dist,
  emptyOutDir: false,
  target: 'es2022',
  minify: 'oxc',
  modulePreload: false,
  reportCompressedSize: false,
}

rmSync(dist, { recursive: true, force: true })

await build(
  options({
    build: {
      ...output,
      lib: { entry: at('script.ts'), formats: ['iife'], name: 'nc', fileName: () => 'notification-center.js' },
    },
  }),
)
// The later parts. What every session needs is one file, as one stream packs better than two; the rare ones draw with what it has.
for (const input of [
  // It stands alone: what explains a session must not need one.
  { debug: at('elements/debug/debug.ts') },
  { realtime: at('transport/realtime.ts') },
  {
    everyday: EVERYDAY,
    extras: at('elements/panel/extras.ts'),
    rare: at('elements/panel/rare.ts'),
    markdown: at('elements/panel/message/markdown-view.ts'),
    long: at('elements/panel/long/long-list.ts'),
    settings: at('elements/panel/settings/settings.ts'),
    touch: at('elements/panel/touch/swipe.ts'),
    placing: at('elements/panel/placing.ts'),
  },
  ...LANGUAGES.map((tag) => ({ [`lang-${tag}`]: at(`locales/${tag}.ts`) })),
]) {
  await build(
    options({
      build: {
        ...output,
        // Not Vite's library mode: that one keeps the white space of modules.
        rollupOptions: {
          input,
          // Rare parts import from the everyday one, which is there before they are wanted.
          preserveEntrySignatures: 'allow-extension',
          output: {
            format: 'es',
            entryFileNames: '[name].js',
            codeSplitting: {
              groups: [
                {
                  name: Object.keys(input)[0],
                  test: (id) =>
                    !/\/(extras|(en-)?rare|en-settings|markdown(-view)?|outline-icon|swipe|placing|long\/[a-z-]+|settings\/[a-z]+|directives?\/?[a-z-]*)\.(ts|js)$/.test(
                      id,
                    ),
                },
              ],
            },
          },
        },
      },
    }),
  )
}
await build(
  options({
    build: {
      ...output,
      outDir: join(dist, 'package'),
      lib: { entry: { index: at('index.ts'), define: at('define.ts'), headless: at('headless.ts') }, formats: ['es'] },
      rollupOptions: {
        external: [/^lit/, 'socket.io-client'],
        output: { entryFileNames: '[name].js', chunkFileNames: 'part-[name].js' },
      },
    },
  }),
)

writePackage()

const files = readdirSync(dist).filter((name) => name.endsWith('.js'))
/** The first script runs almost whole at once: a browser that knows these words compiles all of it beside the page's thread while it loads, and not one function after the other in the page's way. */
const EAGER = '//# allFunctionsCalledOnLoad'
/** One name is shortened to the same in all files, which hand each other objects. */
const shortened = { props: undefined }
const properties = { regex: new RegExp(`^(?:${listPrivateNames().join('|')})$`) }
/** So are the custom properties that no page sets. Content that a page puts into slots inherits them: they keep a name of ours. */
const styled = new Map()
const shortenStyles = (code) =>
  code.replace(/--_[a-z-]+/g, (name) => {
    if (!styled.has(name)) styled.set(name, `--nc_${styled.size.toString(36)}`)
    return styled.get(name)
  })
for (const name of files) {
  const nameCache = { props: shortened.props }
  // A second look, with several passes: about 2 % less than the bundler's own. Functions in front pack better by 1 %, comparisons as the bundler turns them by 0.2, functions of objects as methods (`new` of one is said nowhere) by 0.1.
  const { code } = await minify(readFileSync(join(dist, name), 'utf8'), {
    ecma: 2022,
    module: name !== 'notification-center.js',
    compress: {
      ecma: 2022,
      passes: 6,
      unsafe_arrows: true,
      unsafe_methods: true,
      hoist_funs: true,
      lhs_constants: false,
    },
    mangle: { properties },
    nameCache,
  })
  shortened.props = nameCache.props
  const short = shortenStyles(code)
  writeFileSync(join(dist, name), name === 'notification-center.js' ? `${EAGER}\n${short}` : short)
}
for (const folder of [dist, join(dist, version), join(dist, 'package')]) {
  cpSync(at('themes'), join(folder, 'themes'), { recursive: true })
}
const integrity = {}
for (const name of files) {
  const bytes = readFileSync(join(dist, name))
  integrity[name] = `sha384-${createHash('sha384').update(bytes).digest('base64')}`
  cpSync(join(dist, name), join(dist, version, name))
}
writeFileSync(join(dist, 'integrity.json'), `${JSON.stringify({ version, files: integrity }, null, 2)}\n`)
cpSync(join(dist, 'integrity.json'), join(dist, version, 'integrity.json'))

/** What the folder needs to be published: types by the compiler, the element as data, and a package.json that knows this folder only. */
function writePackage() {
  const [folder, root] = [join(dist, 'package'), dirname(here)]
  const flags = `--ignoreConfig --declaration --emitDeclarationOnly --target es2022 --lib ES2023,DOM,DOM.Iterable --types node
    --module esnext --moduleResolution bundler --allowImportingTsExtensions --skipLibCheck --strict --rootDir ${root}`
  const frameworks = readdirSync(at('frameworks')).map((name) => name.slice(0, -3))
  const sources = ['index', 'define', 'headless', ...frameworks.map((name) => `frameworks/${name}`)]
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...flags.split(/\s+/), '--outDir', join(folder, 'types')].concat(
      sources.map((source) => at(`${source}.ts`)),
    ),
    { stdio: 'inherit' },
  )
  for (const name of readdirSync(join(folder, 'types'), { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, 'types', name)
    // The compiler keeps the names of the sources, which are not there.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/((?:from |import\()['"]\..*?)\.ts(['"])/g, '$1.js$2'))
  }
  const own = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  const exported = (entry) => ({ types: `./types/widget/${entry}.d.ts`, default: `./${entry}.js` })
  // Types alone: importing one of these does nothing when it runs.
  const typed = (name) => [`./${name}`, { types: `./types/widget/frameworks/${name}.d.ts`, default: './types.js' }]
  writeFileSync(join(folder, 'types.js'), 'export {}\n')
  const description = {
    name: own.name,
    version,
    description: own.description,
    keywords: ['notifications', 'inbox', 'bell', 'web-component', 'custom-element'],
    license: 'MIT',
    type: 'module',
    sideEffects: ['./define.js', './themes/*.css'],
    customElements: './custom-elements.json',
    exports: {
      '.': exported('index'),
      './define': exported('define'),
      './headless': exported('headless'),
      ...Object.fromEntries(frameworks.map(typed)),
      './themes/*.css': './themes/*.css',
      './custom-elements.json': './custom-elements.json',
      './package.json': './package.json',
    },
    dependencies: own.dependencies,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
  writeFileSync(join(folder, 'custom-elements.json'), `${JSON.stringify(describeElement(), null, 2)}\n`)
  cpSync(at('README.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}
