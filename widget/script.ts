// The one script of a site: `<script src=".../widget/notification-center.js" async>`, classic or module.
// Its parts are modules of exactly this version beside it.

import './lit-policy.ts'
import { NotificationCenter } from './elements/notification-center.ts'
import type { Parts } from './elements/parts.ts'
import { provideLit } from './provide-lit.ts'

declare const __VERSION__: string

/** Without the folder of a version. A script that another module imported has no `currentScript`; its address stands in its own stack. One that is evaluated has none. */
const address = (
  /^http.*\/notification-center\.js/.exec(`${Reflect.get(document.currentScript ?? {}, 'src')}`)?.[0] ??
  /https?:\/\/[^\s()@]+\/notification-center\.js/.exec(`${new Error().stack}`)?.[0]
)?.replace(`/${__VERSION__}/`, '/')
let failures = 0
/** What did not come is asked for once more by another address of the same file: Firefox remembers the failure of the first for as long as the page lives. */
const load = async <T>(name: string): Promise<T> => {
  // What asks for it is known a moment later: the element reads its attributes first.
  await null
  const { href } = new URL(
    `${__VERSION__}/${name}.js`,
    address ?? `${NotificationCenter.edge ?? location.origin}/widget/`,
  )
  return import(/* @vite-ignore */ href).catch(() => import(/* @vite-ignore */ `${href}#${failures++}`))
}

const parts: Parts = {
  loadCore: () => load('everyday'),
  loadRealtime: () => load('realtime'),
  loadPanel: () => load('everyday'),
  loadExtras: () => load('extras'),
  loadRare: () => load('rare'),
  loadMarkdown: () => load('markdown'),
  loadSettings: () => load('settings'),
  loadPlacing: () => load('placing'),
  loadDebug: () => load('debug'),
  loadTouch: () => load('touch'),
  loadLanguage: (tag) => load(`lang-${tag}`),
}

provideLit()
NotificationCenter.parts ??= parts
// A service below a path has the script in its folder `widget`; elsewhere the origin of the script counts.
NotificationCenter.scriptOrigin ??= address && (/.*(?=\/widget\/)/.exec(address)?.[0] ?? new URL(address).origin)
NotificationCenter.define()
