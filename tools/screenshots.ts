// `npm run screenshots`: named pictures of the demo page and of each state in its gallery, into screenshots/. Words after `--` choose pictures whose name has one of them.

import { resolve } from 'node:path'
import { takePictures } from '../demo/pictures.ts'
import { findChromium } from './chromium.mjs'

const folder = resolve(import.meta.dirname, '../screenshots')
const names = await takePictures({ folder, executablePath: await findChromium(), only: process.argv.slice(2) })
console.log(`${names.length} pictures in screenshots/`)
process.exit(0)
