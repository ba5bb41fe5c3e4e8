// The one script of a site: `<script src=".../widget/notification-center.js" async>`, classic or module.
// Its later parts are modules of exactly this version beside it.

import './lit-policy.ts'
import { NotificationCenter } from './elements/notification-center.ts'
import type { Parts } from './elements/parts.ts'
import { provideLit } from './provide-lit.ts'

declare const __VERSION__: string

/** A script that another module imported has no `currentScript`; its address stands in its own stack. */
const address =
  (document.currentScript instanceof HTMLScriptElement && document.currentScript.src) ||
  /https?:\/\/[^\s()@]+\/notification-center\.js/.exec(new Error().stack ?? '')?.[0] ||
  `${location.origin}/widget/notification-center.js`
const folder = address.includes(`/${__VERSION__}/`) ? './' : `./${__VERSION__}/`
let failures = 0
/** What did not come is asked for once more by another address of the same file: Firefox remembers the failure of the first for as long as the page lives. */
const load = <T>(name: string): Promise<T> => {
  const { href } = new URL(`${folder}${name}.js`, address)
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
NotificationCenter.scriptOrigin ??= new URL(address).origin
NotificationCenter.define()
