// Tests the package with frameworks: publint, attw, plain TypeScript, the frameworks' compilers, and Chromium.

import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { chromium } from 'playwright-core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { givenEdge } from '../edge/test/support/given.ts'
import { CHROMIUM_FLAGS, programPath } from '../tools/programs/programs.ts'
import { publishSamples } from '../widget/gallery/sample-inbox.ts'
import { bundleExample } from './bundle-example.ts'

const here = import.meta.dirname
const ROOT = resolve(here, '..')
const PACKAGE = join(ROOT, 'widget/dist/package')
/** Below the frameworks' folder, so that imports resolve; not committed. */
const room = join(here, 'dist/room')
const requireHere = createRequire(join(here, 'package.json'))
const EXAMPLES = readdirSync(here).filter((name) => /^[a-z]+(?:-\d+)?\.(ts|tsx|vue|svelte)$/.test(name))

let tarball: string

function run(program: string, args: string[], cwd = room): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

const node = (script: string, ...args: string[]) => run(process.execPath, [script, ...args])
const binOf = (name: string, path: string) => join(requireHere.resolve(`${name}/package.json`), '..', path)

/** The type checker of each example: TypeScript itself, or the framework's compiler around it. */
const COMPILERS = [
  {
    name: 'TypeScript',
    reads: /\.tsx?$/,
    compile: () => node(binOf('typescript', 'bin/tsc'), '-p', 'tsconfig.json', '--pretty', 'false'),
  },
  {
    name: 'vue-tsc',
    reads: /\.vue$/,
    compile: () => node(binOf('vue-tsc', 'bin/vue-tsc.js'), '-p', 'tsconfig.json', '--pretty', 'false'),
  },
  {
    name: 'svelte-check',
    reads: /\.svelte$/,
    compile: () => node(binOf('svelte-check', 'bin/svelte-check'), '--workspace', '.', '--output', 'machine'),
  },
]

beforeAll(() => {
  const built = run(process.execPath, ['--import', 'tsx', 'tools/build.ts', 'widget'], ROOT)
  expect(built).toMatchObject({ status: 0 })
  rmSync(room, { recursive: true, force: true })
  const installed = join(room, 'node_modules/@notification-center')
  mkdirSync(installed, { recursive: true })
  const packed = run('npm', ['pack', '--json', '--loglevel=silent', '--pack-destination', room], PACKAGE)
  tarball = join(room, JSON.parse(packed.output)[0].filename)
  expect(run('tar', ['-xzf', tarball, '-C', installed])).toMatchObject({ status: 0 })
  cpSync(join(installed, 'package'), join(installed, 'widget'), { recursive: true })
  cpSync(join(here, 'tsconfig.json'), join(room, 'tsconfig.json'))
  // Without one, svelte-check takes the repository's Vite configuration, which knows no Svelte.
  writeFileSync(join(room, 'svelte.config.js'), 'export default {}\n')
  mkdirSync(join(room, 'wrong'))
  for (const name of EXAMPLES) {
    const text = readFileSync(join(here, name), 'utf8')
    writeFileSync(join(room, name), text)
    const wrong = text.replace('event.unread', 'event.unreed').replace('theme="auto"', 'theme="blue"')
    writeFileSync(join(room, 'wrong', name), wrong)
  }
})

afterAll(() => rmSync(room, { recursive: true, force: true }))

test('there is one example for each framework that the package has types for', () => {
  const frameworks = readdirSync(join(ROOT, 'widget/frameworks')).map((name) => name.replace('.ts', ''))
  expect(EXAMPLES.map((name) => name.split('.')[0]).sort()).toEqual([...frameworks, 'plain'].sort())
})

test.each(EXAMPLES)('%s names the server, which a bundle cannot know, and properties as they are', (name) => {
  const text = readFileSync(join(here, name), 'utf8')
  expect(text).toMatch(/base-url="|baseUrl = '/)
  // Vue sets `:token-provider.prop` as `element['token-provider']`, which nothing reads and no compiler refuses.
  expect(text).not.toMatch(/[\w]-[\w-]+\.prop\b/)
})

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: PACKAGE, pack: 'npm', strict: true })
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([])
})

test('attw finds the types right for every way of resolving modules', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (analysis.types === false) expect.fail('the package has no types')
  expect(analysis.types).toEqual({ kind: 'included' })
  // A package for browsers has ES modules only, so faults of old resolution and of `require` are left out.
  const kinds = analysis.problems.filter(
    (problem) => !('resolutionKind' in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind)),
  )
  expect(kinds).toEqual([])
})

const pathOf = (fault: string): string => /(?:wrong\/)?[a-z]+(?:-\d+)?\.(?:tsx?|vue|svelte)/.exec(fault)?.[0] ?? ''

// Valid and invalid files in one run, because a compiler starts slowly.
test.each(COMPILERS)(
  '$name takes the examples, and refuses a wrong field and a wrong value',
  ({ reads, compile }) => {
    const { status, output } = compile()
    // The first line of each fault; the following lines are indented.
    const faults = output.split(/\n(?! )/).filter((fault) => /error/i.test(fault) && reads.test(pathOf(fault)))
    expect(faults.filter((fault) => !pathOf(fault).startsWith('wrong/'))).toEqual([])
    for (const name of EXAMPLES.filter((file) => reads.test(file))) {
      const own = faults.filter((fault) => pathOf(fault).endsWith(name)).join('\n')
      expect(own).toContain('unreed')
      if (readFileSync(join(room, 'wrong', name), 'utf8').includes('blue')) expect(own).toContain('blue')
    }
    expect(status).not.toBe(0)
  },
  120_000,
)

const PAGE = `<!doctype html><meta charset="utf-8"><title>Shop</title><body><main></main><script type="module" src="app.js"></script>`

/** A customer's backend: a page for each user with the framework's script, and a token for the page's user. */
async function givenShop(scripts: Map<string, string>, tokenOf: (userId: string) => string): Promise<string> {
  const server = createServer(({ method, url = '', headers }, response) => {
    const [, framework = '', file] = url.split('/')
    if (method === 'POST' && url.startsWith('/notification-token')) {
      const userId = new URL(headers.referer ?? '').pathname.split('/')[1] ?? ''
      return response.end(JSON.stringify({ userId, token: tokenOf(userId) }))
    }
    response.setHeader('content-type', file === 'app.js' ? 'text/javascript' : 'text/html')
    response.end(file === 'app.js' ? scripts.get(framework) : PAGE)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('each example signs in, counts and shows the message in a browser', async () => {
  const edge = await givenEdge({ RATE_LIMITS: 'off' })
  onTestFinished(() => edge.stop())
  await publishSamples(edge)
  const { frontApiKey, authSecretKey } = edge.demo.environments.dev
  // Replaces the placeholders of the examples; a file without a server's address would call the demo shop.
  const fill = (text: string) =>
    text.replaceAll('https://notify.example.com', edge.url).replaceAll('nc_front_…', frontApiKey)
  const names = EXAMPLES.map((file) => file.split('.')[0] as string)
  const scripts = await Promise.all(names.map((name) => bundleExample(room, name, frontApiKey, fill)))
  const shop = await givenShop(new Map(names.map((name, at) => [name, scripts[at] as string])), (userId) =>
    createHmac('sha256', authSecretKey).update(userId).digest('hex'),
  )
  const browser = await chromium.launch({ executablePath: programPath('headlessChromium'), args: CHROMIUM_FLAGS })
  onTestFinished(() => browser.close())

  const visit = async (name: string) => {
    await edge.track({ name: 'order.shipped', userId: name, properties: { orderId: 'HG-1' } })
    const page = await browser.newPage()
    const faults: Error[] = []
    page.on('pageerror', (error) => faults.push(error))
    await page.goto(`${shop}/${name}/`)
    // The number in the page's text comes by the event, the row through the element.
    if (name === 'plain') {
      await page.waitForFunction(`document.title === '(1) Shop'`)
      await page.evaluate(`document.querySelector('notification-center').show()`)
    } else await page.getByText('1 unread', { exact: true }).click()
    await page.locator('notification-center article.row').getByText('HG-1').waitFor()
    await page.close()
    expect(faults).toEqual([])
  }
  for (const name of names) await visit(name).catch((cause) => expect.fail(`${name}: ${cause}`))
})
