// Builds, and packs what a server needs into `release/notification-center-<version>.tar.gz`, and the packages of the widget and the
// SDKs into `release/packages` (`npm run release -- [<folder> [server|packages]]`). The same sources and packages give the same bytes.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { copyContents } from './release/contents.ts'
import { readSbom, refuseUnknown, writeNotices } from './release/licences.ts'
import { writePackages } from './release/packages.ts'

const root = resolve(import.meta.dirname, '..')
// An option is no name of a folder.
const [to, part] = parseArgs({ allowPositionals: true }).positionals
const target = resolve(to ?? join(root, 'release'))
const { name, version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const title = `${name}-${version}`
const folder = join(target, title)
const archive = `${title}.tar.gz`

if (part !== 'server') writePackages(root, join(target, 'packages'), version)
if (part === 'packages') process.exit()

const build = ['--import', 'tsx', 'tools/build.ts', 'edge', 'widget', 'dashboard']
execFileSync(process.execPath, build, { cwd: root, stdio: 'inherit' })

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const sbom = readSbom(root)
refuseUnknown(sbom.components)
copyContents(root, folder)
const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
// Says that the bundles are modules.
writeFileSync(join(folder, 'package.json'), toJson({ name, version, private: true, license, type: 'module', engines }))
writeFileSync(join(folder, 'sbom.cdx.json'), toJson(sbom))
writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), writeNotices(root, sbom.components))

const committed = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim()
const fixed = ['--sort=name', `--mtime=@${committed}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
const modes = '--mode=u=rwX,go=rX'
execFileSync('tar', [...fixed, modes, '-I', 'gzip -9n', '-cf', archive, title], { cwd: target })
const unpacked = Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
rmSync(folder, { recursive: true })

const digest = createHash('sha256')
  .update(readFileSync(join(target, archive)))
  .digest('hex')
writeFileSync(join(target, `${archive}.sha256`), `${digest}  ${archive}\n`)
const toMb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
console.log(`${join(target, archive)}: ${toMb(statSync(join(target, archive)).size)}, unpacked ${toMb(unpacked)}`)
