// Opens one Chromium for all files that a worker runs: starting it costs as much processor time as a short test.

import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { CHROMIUM_FLAGS, programPath } from '../programs/programs.ts'

let shared: Promise<Browser> | undefined

/** Returns the browser of the worker, which ends with the process. A file opens contexts of its own, and ends with `leaveBrowser`. */
export function shareBrowser(): Promise<Browser> {
  shared ??= openFirst()
  return shared
}

/** Closes what the file opened in the shared browser. */
export async function leaveBrowser(): Promise<void> {
  for (const context of (await shared)?.contexts() ?? []) await context.close()
}

export const openBrowser = (launch: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ executablePath: programPath('headlessChromium'), args: CHROMIUM_FLAGS, ...launch })

function openFirst(): Promise<Browser> {
  // The worker is ended by this signal once its files are done; with the end of the process goes the browser.
  process.once('SIGTERM', () => process.exit())
  return openBrowser()
}
