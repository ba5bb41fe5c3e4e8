// Takes screenshots of the demo page and of each gallery state into screenshots/ (`npm run screenshots`).
// Translations after `--` select the pictures whose name contains one of them.

import { resolve } from 'node:path'
import { takePictures } from '../demo/pictures.ts'
import { installPrograms } from './programs/install-programs.ts'
import { programPath } from './programs/programs.ts'

const folder = resolve(import.meta.dirname, '../screenshots')
await installPrograms(['chromium'], { log: console.log })
const names = await takePictures({ folder, executablePath: programPath('chromium'), only: process.argv.slice(2) })
console.log(`${names.length} pictures in screenshots/`)
process.exit(0)
