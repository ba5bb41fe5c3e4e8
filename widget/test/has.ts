// Waits until a property of the element in a page has a value.

import type { Page } from 'playwright-core'

/** `tag`: the element, where another version has a tag of its own. Fails when the page's patience ends. */
export async function has(page: Page, property: string, value: unknown, tag = 'notification-center'): Promise<void> {
  await page.waitForFunction(
    ([tag, name, wanted]) => Reflect.get(document.querySelector(tag as string) ?? {}, name as string) === wanted,
    [tag, property, value] as const,
    { polling: 20 },
  )
}
