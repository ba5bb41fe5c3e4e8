// A thousand hostile payloads, made of known attacks by the kinds of what they aim at, put into the contexts in which they hide; the same thousand each time.

import { HOSTILE_TEXTS } from './hostile-texts.ts'

const DEED = 'globalThis.pwned=1'
const SCRIPT = `<script>${DEED}</script>`

/** What attacks aim at, beside the texts that are tried over the real service. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  html: [
    `<iframe srcdoc="<script>parent.${DEED}</script>">`,
    `<object data="javascript:${DEED}">`,
    `<embed src="data:text/html,${SCRIPT}">`,
    `<form action="javascript:${DEED}"><button>x</button></form>`,
    `<button formaction="javascript:${DEED}">x</button>`,
    `<base href="https://evil.example/">`,
    `<meta http-equiv=refresh content="0;url=javascript:${DEED}">`,
    `<template><script>${DEED}</script></template>`,
    `<noscript><p title="</noscript><img src=x onerror=${DEED}>">`,
    `<textarea></textarea>${SCRIPT}`,
    `<form id=attributes name=parentNode><input name=children></form>`,
    `<slot name=bell>${SCRIPT}</slot>`,
    `<template shadowrootmode=open>${SCRIPT}</template>`,
    `<link rel=stylesheet href="https://evil.example/x.css">`,
    `<x-hostile onclick=${DEED}>x</x-hostile>`,
  ],
  svg: [
    `<svg><script href="data:,${DEED}"/></svg>`,
    `<svg><animate onbegin=${DEED} attributeName=x dur=1s>`,
    `<svg><set attributeName=href to="javascript:${DEED}">`,
    `<svg><foreignObject><iframe srcdoc="${DEED}"></foreignObject></svg>`,
    `<svg><use href="data:image/svg+xml,<svg id=x onload=${DEED}>#x"/></svg>`,
    `<math><mi xlink:href="data:x,${SCRIPT}">`,
    `<math><mtext><table><mglyph><style><img src=x onerror=${DEED}>`,
  ],
  handlers: [
    `<details open ontoggle=${DEED}>`,
    `' autofocus onfocus=${DEED} x='`,
    `" onpointerover="${DEED}" x="`,
    `<video><source onerror=${DEED}>`,
    `<input type=image src=x onerror=${DEED}>`,
    `<a href=https://good.example/ onclick=${DEED}>x</a>`,
    `<p style="animation:x" onanimationstart=${DEED}>`,
    `<div popover onbeforetoggle=${DEED}>`,
    `@click=\${()=>${DEED}}`,
  ],
  addresses: [
    `feed:javascript:${DEED}`,
    `view-source:javascript:${DEED}`,
    `javascript://good.example/%0a${DEED}`,
    `https://good.example/%0d%0aset-cookie:x=1`,
    `javascript&colon;${DEED}`,
    `\u2028javascript:${DEED}`,
    `java\u0000script:${DEED}`,
    `data:image/svg+xml,<svg onload=${DEED}>`,
    `data:text/javascript,${DEED}`,
    'file:///etc/passwd',
    'blob:https://evil.example/1',
    'filesystem:https://evil.example/temporary/x',
    'intent://evil.example/#Intent;scheme=https;end',
    'ws://evil.example/',
    'https:evil.example',
    'https:///evil.example',
    'http://[::1',
    '\\\\evil.example\\x',
    '/\t/evil.example',
    'mailto:a@b.example\nbcc:c@d.example',
  ],
  styles: [
    `</style><style>*{background:url(https://evil.example/?x)}</style>`,
    `<style>@import 'javascript:${DEED}'</style>`,
    `x;background:url(javascript:${DEED})`,
    `x" style="position:fixed;inset:0;background:url(https://evil.example/)`,
    `expression(${DEED})`,
    `:host{display:none!important}*{--nc-font:url(https://evil.example/)}`,
    `unopened hidden live panel open`,
  ],
  markdown: [
    `<https://evil.example/" onclick="${DEED}>`,
    `<javascript:${DEED}>`,
    `[a](data:text/html,${SCRIPT})`,
    `[a](https://good.example/ "x" onclick=${DEED})`,
    `[a](javas\ncript:${DEED})`,
    `![a](https://evil.example/x" onerror="${DEED})`,
    `[![a](javascript:${DEED})](javascript:${DEED})`,
    `[a]: javascript:${DEED}\n[a]`,
    `\`\`\`"><script>\n${SCRIPT}\n\`\`\``,
    `# <img src=x onerror=${DEED}>`,
    `[a](https://good.example/\u202Egpj.exe)`,
    `*[_[**[a](javascript:${DEED})**]_](vbscript:${DEED})*`,
  ],
  templates: [
    `\${{}.constructor.constructor('${DEED}')()}`,
    `{{#with "s" as |string|}}{{this.constructor}}{{/with}}`,
    `<%= ${DEED} %>`,
    `#{${DEED}}`,
    `{count}{title}{__proto__}{constructor}`,
    `<!--?lit$123456789$-->${SCRIPT}`,
    `<!--lit-part abc=--><!--/lit-part-->`,
    `%s%d%n%x`,
  ],
  prototypes: ['constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineSetter__', '__proto__.pwned', 'then'],
  characters: [
    '\u0000',
    '\u0007\u001b[2J\u009b31m',
    '\ud800',
    'a\udc00b\ud800',
    '\ufeff\u200b\u2060',
    '\u202d\u202e\u2066\u2067\u2068',
    '\ufdfd\u{12031}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    'Z\u0351\u036b\u0343'.repeat(60),
    '\uff1cscript\uff1e',
  ],
}

/** Very long ones are tried as they are: disguised, they would be long again. */
const LONG = ['> '.repeat(4_000), '[a]('.repeat(2_000), '`'.repeat(5_000), 'a_'.repeat(4_000), '\u202e'.repeat(4_000)]
const SHORT_CHARS = 200

const flipCase = (text: string): string =>
  [...text].map((char, at) => (at % 2 === 0 ? char.toUpperCase() : char.toLowerCase())).join('')
const perChar = (text: string, write: (code: number) => string): string =>
  [...text].map((char) => write(char.codePointAt(0) ?? 0)).join('')

/** Where they hide. */
const CONTEXTS: readonly ((text: string) => string)[] = [
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

const COUNT = 1_000

/** So many, without repeats: every attack as it is, then each in about as many contexts as any other. */
export function hostileCorpus(count = COUNT): string[] {
  const attacks = [...HOSTILE_TEXTS, ...Object.values(KINDS).flat()]
  const short = attacks.filter((text) => text.length < SHORT_CHARS)
  const all = new Set([...attacks, ...LONG])
  for (let round = 0; all.size < count && round < CONTEXTS.length; round++) {
    for (const [at, attack] of short.entries()) {
      // Others in each round, so that no context is tried on some attacks alone.
      if (all.size < count) all.add((CONTEXTS[(at * 7 + round) % CONTEXTS.length] as (text: string) => string)(attack))
    }
  }
  return [...all]
}
