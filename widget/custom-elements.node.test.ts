// What the package tells editors about the element is what the element is: every name is compared with its source.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markdownTable, withTable } from '../edge/test/support/page-table.ts'
import { describeElement } from './custom-elements.ts'
import { ATTRIBUTES, CSS_PROPERTIES, EVENTS, METHODS, PARTS, PROPERTIES, SLOTS } from './element-surface.ts'
import * as root from './index.ts'

const here = import.meta.dirname
const sources = readdirSync(join(here, 'elements'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(here, 'elements', path), 'utf8'))
  .join('\n')
const GUIDE = join(here, '../docs/widget.md')
const guide = readFileSync(GUIDE, 'utf8')

const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name).sort()
const found = (pattern: RegExp): string[] => {
  const all = [...sources.matchAll(pattern)].flatMap((match) => match.slice(1).join(' ').split(' '))
  return [...new Set(all)].filter((name) => name !== '').sort()
}

test('its attributes are those that the element observes', () => {
  expect(names(ATTRIBUTES)).toEqual(root.NotificationCenter.observedAttributes.toSorted())
})

test('its properties and methods are those of the class', () => {
  const prototype = root.NotificationCenter.prototype
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype))
  // Of Lit and of the platform.
  const callbacks = /^(constructor|.+Callback|requestUpdate|getUpdateComplete|willUpdate|render|updated)$/
  const methods = own.filter(([name, { value }]) => typeof value === 'function' && !callbacks.test(name))
  expect(names(METHODS)).toEqual(methods.map(([name]) => name).sort())

  const readonly = own.filter(([, { get, set }]) => get !== undefined && set === undefined).map(([name]) => name)
  expect(names(PROPERTIES.filter((property) => property.readonly === true))).toEqual(readonly.sort())
  const settable = own.filter(([, { set }]) => set !== undefined).map(([name]) => name)
  const told = [
    ...PROPERTIES.filter((property) => property.readonly !== true).map(({ name }) => name),
    ...ATTRIBUTES.flatMap(({ property }) => property ?? []),
  ]
  expect(told.sort()).toEqual(settable.sort())
})

test('its events are the classes that the package exports', () => {
  const classes = Object.keys(root).filter((name) => name.endsWith('Event'))
  expect(EVENTS.map(({ type }) => type).sort()).toEqual(classes.sort())
  expect(names(EVENTS)).toEqual(found(/super\('(nc-[a-z-]+)'/g))
})

test('its slots, parts and custom properties are those of the templates and styles', () => {
  expect(names(SLOTS)).toEqual(found(/(?:<slot name="|element\('slot', \{ name: ')([a-z]+)/g))
  expect(names(PARTS)).toEqual(found(/\bpart(?:="|: '|\.add\(')([a-z ]+)|\bpart=\$\{.+? \? '([a-z]+)' : '([a-z]+)'/g))
  expect(names(CSS_PROPERTIES)).toEqual(found(/var\((--nc-[a-z-]+)/g))
})

test('the guide has the tables of it', async () => {
  const code = (name: string | undefined) => (name === undefined ? '–' : `\`${name}\``)
  const says = (list: readonly { name: string; says: string }[], kind: string) =>
    list.map((one) => [kind, code(one.name), one.says])
  const fields = [
    ...ATTRIBUTES.map(({ name, property, type, says }) => [code(name), code(property), code(type), says]),
    ...PROPERTIES.map(({ name, type, says }) => ['–', code(name), code(type), says]),
  ].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')))
  const styles = [...says(SLOTS, 'slot'), ...says(PARTS, 'part'), ...says(CSS_PROPERTIES, 'property')]
  const tables = {
    attributes: markdownTable(['Attribute', 'Property', 'Type', 'Means'], fields),
    methods: markdownTable(
      ['Method', 'Does'],
      METHODS.map(({ name, says }) => [code(`${name}()`), says]),
    ),
    events: markdownTable(
      ['Event', 'When'],
      EVENTS.map(({ name, says }) => [code(name), says]),
    ),
    styles: markdownTable(['', 'Name', 'Is'], styles),
  }
  let page = guide
  for (const [name, table] of Object.entries(tables)) page = withTable(page, name, table)
  await expect(page).toMatchFileSnapshot(GUIDE)
})

test('each of its entries says what it is', () => {
  const text = JSON.stringify(describeElement().modules[0]?.declarations?.[0])
  const element = JSON.parse(text) as Record<string, { description: string }[]>
  const { attributes, members, events, slots, cssParts, cssProperties } = element
  const all = [attributes, members, events, slots, cssParts, cssProperties].flatMap((list) => list ?? [])
  expect(all.length).toBeGreaterThan(80)
  expect(all.filter(({ description }) => !/^.{4,}/.test(description))).toEqual([])
})
