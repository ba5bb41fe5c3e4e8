// Chromium (over CDP) and Firefox (over WebDriver BiDi) as a scenario wants them.

import puppeteer, { type KeyInput, type Page } from 'puppeteer-core'
import { CHROMIUM_FLAGS } from '../../programs/programs.ts'
import type { BrowserWindow, TestBrowser } from './driver.ts'

const SIZE = { width: 1000, height: 760 }

export async function openPuppeteer(kind: 'chrome' | 'firefox', executablePath: string): Promise<TestBrowser> {
  const browser = await puppeteer.launch({
    browser: kind,
    executablePath,
    headless: true,
    defaultViewport: SIZE,
    ...(kind === 'chrome' ? { args: CHROMIUM_FLAGS } : {}),
  })
  return {
    version: await browser.version(),
    openWindow: async () => windowOf(await browser.newPage()),
    close: () => browser.close(),
  }
}

function windowOf(page: Page): BrowserWindow {
  const press = async (key: string): Promise<void> => {
    const [name, ...held] = key.split('+').reverse() as [KeyInput, ...KeyInput[]]
    for (const each of held) await page.keyboard.down(each)
    await page.keyboard.press(name)
    for (const each of held) await page.keyboard.up(each)
  }
  return {
    press,
    goto: async (url) => void (await page.goto(url)),
    evaluate: async (act, ...args) => {
      const asked: unknown = await page.evaluate(act as (...args: unknown[]) => unknown, ...args)
      return asked as Awaited<ReturnType<typeof act>>
    },
    clickAt: (x, y) => page.mouse.click(x, y),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => page.close(),
  }
}
