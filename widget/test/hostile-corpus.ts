// A thousand hostile payloads, made from known attacks by known disguises; the same thousand each time.

import { HOSTILE_TEXTS } from './hostile-texts.ts'

const DEED = 'globalThis.pwned=1'

/** What attacks begin with, beside the texts that are tried over the real service. */
const ATTACKS: readonly string[] = [
  ...HOSTILE_TEXTS.filter((text) => text.length < 200),
  `<iframe srcdoc="<script>parent.${DEED}</script>">`,
  `<object data="javascript:${DEED}">`,
  `<form action="javascript:${DEED}"><button>x</button></form>`,
  `<math><mi xlink:href="data:x,<script>${DEED}</script>">`,
  `<details open ontoggle=${DEED}>`,
  `<style>@import 'javascript:${DEED}'</style>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv=refresh content="0;url=javascript:${DEED}">`,
  `' autofocus onfocus=${DEED} x='`,
  'file:///etc/passwd',
  'blob:https://evil.example/1',
  'https:evil.example',
  'https:///evil.example',
  'http://[::1',
  `<video><source onerror=${DEED}>`,
  `<a href=https://good.example/ onclick=${DEED}>x</a>`,
  `<template><script>${DEED}</script></template>`,
  `<input type=image src=x onerror=${DEED}>`,
  `<x-hostile onclick=${DEED}>x</x-hostile>`,
  `feed:javascript:${DEED}`,
  `view-source:javascript:${DEED}`,
  'ws://evil.example/',
]

const flipCase = (text: string): string =>
  [...text].map((char, at) => (at % 2 === 0 ? char.toUpperCase() : char.toLowerCase())).join('')
const perChar = (text: string, write: (code: number) => string): string =>
  [...text].map((char) => write(char.codePointAt(0) ?? 0)).join('')

/** How they hide. */
const DISGUISES: readonly ((text: string) => string)[] = [
  (text) => text,
  flipCase,
  (text) => ` ${text}`,
  (text) => `\n${text}\r\n`,
  (text) => `\u0000${text}`,
  (text) => text.replace(':', '\t:'),
  (text) => text.replace(':', '&colon;'),
  (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text) => text.replaceAll('<', '\uFF1C').replaceAll('>', '\uFF1E'),
  (text) => perChar(text, (code) => `&#${code};`),
  (text) => perChar(text, (code) => `&#x${code.toString(16)}`),
  (text) => perChar(text, (code) => (code < 128 ? `%${code.toString(16).padStart(2, '0')}` : '')),
  (text) => perChar(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  (text) => `[x](${text})`,
  (text) => `[x](<${text}>)`,
  (text) => `[${text}](https://good.example/ "${text}")`,
  (text) => `![${text}](${text})`,
  (text) => `**${text}** _${text}_ \`${text}\``,
  (text) => `> - 1. ${text}`,
  (text) => `<${text}>`,
  (text) => `[x]: ${text}\n\n[x]`,
  (text) => `\u202E${text}\u2066`,
  (text) => text.replace(/script/i, 'scr\u00ADipt').replace(/javascript/i, 'java\u200Bscript'),
  (text) => `https://good.example/${text}`,
  (text) => `"><!--${text}--><x y='`,
]

/** A thousand, without repeats. */
export function hostileCorpus(): string[] {
  const all = ATTACKS.flatMap((attack) => DISGUISES.map((disguise) => disguise(attack)))
  return [...new Set(all)].slice(0, 1_000)
}
