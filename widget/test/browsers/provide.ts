// Before the tests in other browsers, once for all files: looks for the browsers, and on CI installs what is missing.

import { provideBrowsers } from '../../../tools/browsers.ts'

export default function setup(): void {
  provideBrowsers(process.env.CI === 'true', (line) => process.stderr.write(`${line}\n`))
}
