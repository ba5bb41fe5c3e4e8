// `npm run screenshots`: named pictures of the widget's states and of the demo page, into screenshots/.

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { takePictures as takeDemoPictures } from '../demo/pictures.ts'
import { takePictures as takeWidgetPictures } from '../widget/pictures.ts'
import { findChromium } from './chromium.mjs'

const folder = resolve(import.meta.dirname, '../screenshots')
const executablePath = await findChromium()
for (const [name, takePictures] of Object.entries({ widget: takeWidgetPictures, demo: takeDemoPictures })) {
  const into = join(folder, name)
  mkdirSync(into, { recursive: true })
  const paths = await takePictures({ folder: into, executablePath })
  console.log(`${paths.length} pictures in screenshots/${name}`)
}
process.exit(0)
