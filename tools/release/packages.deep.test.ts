// Tests the packages of a release as their users get them: the same bytes twice, what registries ask for, a dry run of publishing,
// and the first program of each guide in an empty project, against a real server.

import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { AuthAnswer } from '../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../../edge/test/support/given.ts'
import { CHROMIUM_FLAGS, programPath } from '../programs/programs.ts'
import { filesOf } from './packages.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const VERSION: string = manifest.version
const room = mkdtempSync(join(tmpdir(), 'nc-packages-'))
const packages = join(room, 'first/packages')
const ARTIFACTS = ['notification-center', 'notification-center-json-schema']
const folderOf = (artifact: string) => `maven/org/notificationcenter/${artifact}/${VERSION}`
const TARBALLS = ['widget', 'node'].map((name) => `notification-center-${name}-${VERSION}.tgz`)
const PHP = join(packages, `notification-center-php-${VERSION}.tar.gz`)

/** Runs beside this process, which serves the programs meanwhile. @returns its standard output */
function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  return new Promise((end, fail) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, errors] = ['', '']
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (errors += chunk))
    child.on('error', fail)
    child.on('close', (status) => (status === 0 ? end(output) : fail(new Error(`${program}: ${output}${errors}`))))
  })
}

const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd)
const pack = (to: string) => run('npm', ['run', '--silent', 'release', join(room, to), 'packages'], ROOT)
const composer = (cwd: string, ...args: string[]) =>
  run('composer', [...args, '--no-interaction'], cwd, {
    COMPOSER_HOME: join(room, 'composer'),
    COMPOSER_ALLOW_SUPERUSER: '1',
  })

beforeAll(() => pack('first'))
afterAll(() => rmSync(room, { recursive: true, force: true }))

function emptyProject(name: string): string {
  const folder = join(room, name)
  mkdirSync(folder)
  return folder
}

/** Starts a server with a campaign on the event of the guides. */
async function givenShop(): Promise<GivenEdge> {
  const edge = await givenEdge()
  onTestFinished(() => edge.stop())
  await edge.publish(inboxCampaign('shipped', 'order.shipped'))
  return edge
}

const keysOf = ({ demo, url }: GivenEdge) => {
  const { authSecretKey, sdkSecretKey, webhookSigningSecret } = demo.environments.dev
  return {
    AUTH_SECRET_KEY: authSecretKey,
    SDK_SECRET_KEY: sdkSecretKey,
    WEBHOOK_SIGNING_SECRET: webhookSigningSecret,
    NOTIFICATION_CENTER_URL: url,
  }
}

/** Signs the user of the guides in by the token that a program has printed, and expects the message of its event. */
async function expectMessage(edge: GivenEdge, output: string): Promise<void> {
  const token = /^v2\.\d+\.[0-9a-f]{64}$/m.exec(output)?.[0]
  const body = { apiKey: edge.demo.environments.dev.frontApiKey, userId: 'u_42', token }
  const { body: session } = await edge.call<AuthAnswer>('POST', '/v1/users/auth', { body })
  await expect.poll(async () => (await edge.page(session)).data).toHaveLength(1)
}

/** Returns the first program of a guide. */
function firstProgram(guide: string, language: string): string {
  const text = readFileSync(join(ROOT, guide), 'utf8')
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? ''
}

test('two runs give the same bytes, and the checksums are theirs', async () => {
  await pack('second')
  const sums = (of: string) => readFileSync(join(room, of, 'packages/SHA256SUMS'), 'utf8')
  expect(sums('second')).toBe(sums('first'))
  expect(sums('first').split('\n').length - 1).toBe(filesOf(packages).length - 1)
  expect(await run('sha256sum', ['--check', 'SHA256SUMS'], packages)).not.toContain('FAILED')
})

test.each(TARBALLS)('%s has its guide, changelog, licence and address, and npm would publish it', async (name) => {
  const folder = emptyProject(`unpacked-${name}`)
  await run('tar', ['-xzf', join(packages, name), '--strip-components=1'], folder)
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json']))
  const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { homepage, author, license, repository } = manifest
  expect(own).toMatchObject({
    version: VERSION,
    homepage,
    author,
    license,
    repository,
    publishConfig: { access: 'public' },
  })
  expect(own.private).toBeUndefined()
  expect(await npm(room, 'publish', '--dry-run', join(packages, name))).toContain(`+ ${own.name}@${VERSION}`)
})

test.each(ARTIFACTS)('%s has all files that Maven Central asks for but signatures', async (artifact) => {
  const files = ['.jar', '-sources.jar', '-javadoc.jar', '.pom'].map((end) => `${artifact}-${VERSION}${end}`)
  const all = files.flatMap((name) => ['', '.md5', '.sha1'].map((end) => name + end))
  const folder = join(packages, folderOf(artifact))
  expect(readdirSync(folder).sort()).toEqual(all.sort())
  for (const name of files) {
    const [sum] = (await run('sha1sum', [name], folder)).split(' ')
    expect(readFileSync(join(folder, `${name}.sha1`), 'utf8')).toBe(sum)
  }
  const pom = readFileSync(join(folder, `${artifact}-${VERSION}.pom`), 'utf8')
  for (const tag of ['name', 'description', 'url', 'licenses', 'developers', 'scm']) expect(pom).toMatch(`  <${tag}>`)
  const entries = await run(
    join(programPath('java'), 'bin/jar'),
    ['--list', '--file', `${artifact}-${VERSION}.jar`],
    folder,
  )
  expect(entries.split('\n')).toEqual(
    expect.arrayContaining(['META-INF/CHANGELOG.md', 'META-INF/LICENSE', 'module-info.class']),
  )
})

test('the archive for Composer is valid, and has the files that Composer itself would take', async () => {
  const folder = emptyProject('unpacked-php')
  await composer(join(ROOT, 'sdk/php'), 'archive', '--format=tar', '--file=php', `--dir=${room}`)
  await run('tar', ['-xzf', PHP], folder)
  const own = (await run('tar', ['-tf', join(room, 'php.tar')], room)).split('\n').filter((path) => /[^/]$/.test(path))
  expect(filesOf(folder)).toEqual(own.sort())
  expect(filesOf(folder)).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md', 'composer.json']))
  await composer(folder, 'validate', '--strict')
})

test('the package for Node runs the program of its guide', async () => {
  const edge = await givenShop()
  const folder = emptyProject('node')
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const { zod, express } = JSON.parse(readFileSync(join(ROOT, 'sdk/node/package.json'), 'utf8')).devDependencies
  await npm(folder, 'install', join(packages, TARBALLS[1] as string), `zod@${zod}`, `express@${express}`)
  const program = firstProgram('sdk/node/README.md', 'ts').replace('http://127.0.0.1:3000', edge.url)
  // It serves enrichers until it is ended.
  writeFileSync(join(folder, 'server.mjs'), program.replace('app.listen(8080)', 'app.listen(0, () => process.exit())'))
  await expectMessage(edge, await run(process.execPath, ['server.mjs'], folder, keysOf(edge)))
})

test('the artifacts for Java run the program of their guide', async () => {
  const edge = await givenShop()
  const folder = emptyProject('java')
  const dependencies = ARTIFACTS.map(
    (id) =>
      `<dependency><groupId>org.notificationcenter</groupId><artifactId>${id}</artifactId><version>${VERSION}</version></dependency>`,
  )
  const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
    <groupId>customer</groupId><artifactId>shop</artifactId><version>1</version>
    <repositories><repository><id>release</id><url>file://${packages}/maven</url></repository></repositories>
    <dependencies>${dependencies.join('')}</dependencies></project>`
  writeFileSync(join(folder, 'pom.xml'), pom)
  writeFileSync(join(folder, 'First.java'), firstProgram('sdk/java/README.md', 'java'))
  const home = programPath('java')
  // With a repository of its own, Maven finds no artifact that was installed on this machine.
  const args = ['--batch-mode', '--quiet', `-Dmaven.repo.local=${folder}/repository`, '-Dmdep.outputFile=path.txt']
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath'
  await run(programPath('maven'), [...args, goal], folder, { JAVA_HOME: home })
  const path = readFileSync(join(folder, 'path.txt'), 'utf8')
  await expectMessage(edge, await run(join(home, 'bin/java'), ['-cp', path, 'First.java'], folder, keysOf(edge)))
})

test('the archive for Composer runs the program of its guide', async () => {
  const edge = await givenShop()
  const folder = emptyProject('php')
  const own = JSON.parse(await run('tar', ['-xzOf', PHP, 'composer.json'], room))
  const dist = { url: `file://${PHP}`, type: 'tar' }
  const libraries = Object.entries(own.require as Record<string, string>).filter(([name]) => name.includes('/'))
  const project = {
    repositories: [{ type: 'package', package: { ...own, version: VERSION, dist } }, { 'packagist.org': false }],
    require: { [own.name]: VERSION },
    // These come from the system's packages or the SDK's `vendor`; the file loads them.
    provide: Object.fromEntries(libraries.map(([name, range]) => [name, range.split('||')[0]?.trim()])),
    autoload: { files: ['dependencies.php'] },
  }
  const dependencies = join(ROOT, 'sdk/php/tests/Support/dependencies.php')
  writeFileSync(join(folder, 'dependencies.php'), `<?php\n\nrequire '${dependencies}';\n`)
  writeFileSync(join(folder, 'composer.json'), JSON.stringify(project))
  await composer(folder, 'install', '--no-progress', '--no-plugins')
  const program = firstProgram('sdk/php/README.md', 'php').replace('http://127.0.0.1:3000', edge.url)
  writeFileSync(join(folder, 'first.php'), program)
  await expectMessage(edge, await run(programPath('php'), ['first.php'], folder, keysOf(edge)))
})

test('the package of the widget shows the tag of its guide in a page', async () => {
  const edge = await givenShop()
  const folder = emptyProject('widget')
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  await npm(folder, 'install', join(packages, TARBALLS[0] as string))
  const guide = 'widget/README.md'
  const contents = firstProgram(guide, 'js')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
  })
  await edge.track({ name: 'order.shipped', userId: 'u_42', properties: { name: 'Mira' } })
  const { frontApiKey, authSecretKey } = edge.demo.environments.dev
  const tag = firstProgram(guide, 'html')
    .replace('https://notify.example.com', edge.url)
    .replace('nc_front_…', frontApiKey)
    .replace('token="…"', `token="${createHmac('sha256', authSecretKey).update('u_42').digest('hex')}"`)
  const browser = await chromium.launch({ executablePath: programPath('headlessChromium'), args: CHROMIUM_FLAGS })
  onTestFinished(() => browser.close())
  const script = `<script type="module">${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`
  const shop = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html>${tag}${script}`)
  })
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    shop.close()
    shop.closeAllConnections()
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}`)
  await page.locator('notification-center').getByRole('button').first().click()
  await page.locator('notification-center article.row').getByText('Hello Mira').waitFor()
})
