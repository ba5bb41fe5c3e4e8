// Tokens of the whole element, and the bell. Every colour is a custom property; `light-dark()` follows the page's `color-scheme`.

import { createSheet } from '../lib/sheet.ts'

export const bellStyles = createSheet(`
:host {
  display: inline-block;
  --_font: var(--nc-font, system-ui, sans-serif);
  --_accent: var(--nc-accent, light-dark(#4457e8, #93a1ff));
  --_on-accent: var(--nc-on-accent, light-dark(#fff, #12152b));
  --_surface: var(--nc-surface, light-dark(#fff, #1b1c21));
  --_raised: var(--nc-raised, light-dark(#f5f6f8, #26282f));
  --_text: var(--nc-text, light-dark(#171a21, #f1f2f5));
  --_muted: var(--nc-muted, light-dark(#5a6170, #a3a9b7));
  --_line: var(--nc-line, light-dark(#e7e9ee, #33363f));
  --_badge: var(--nc-badge, light-dark(#d92d3f, #ff5d6c));
  --_on-badge: var(--nc-on-badge, light-dark(#fff, #2a0308));
  --_radius: var(--nc-radius, 16px);
}
:host([hidden]) { display: none }
:host([mode=inline]) { display: block }
:host([mode=inline]) .anchor { display: none }
:host([theme=light]) { color-scheme: light }
:host([theme=dark]) { color-scheme: dark }
:host([theme=auto]) { color-scheme: light dark }
.root {
  all: initial; visibility: inherit;
  color-scheme: inherit;
  display: block;
  font: 400 medium/1.45 var(--_font);
  color: var(--_text);
  -webkit-font-smoothing: antialiased;
}
:host([mode=inline]) .root { height: 100% }
.root > * { font-size: var(--nc-font-size, clamp(.875em, .875rem, 1.75em)) }
.anchor { display: inline-block; position: relative }
.bell {
  all: unset;
  box-sizing: border-box;
  display: grid;
  place-items: center;
  position: relative;
  width: var(--nc-bell-size, 40px);
  height: var(--nc-bell-size, 40px);
  border-radius: 50%;
  color: var(--nc-bell-color, inherit);
  cursor: pointer;
  transition: background-color .15s;
}
.bell:hover, .bell[aria-expanded=true] { background: light-dark(#14182812, #ffffff1a) }
.bell:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px }
.bell svg { width: 55%; height: 55%; transform-origin: 50% 12% }
.badge {
  position: absolute;
  pointer-events: none;
  inset-block-start: -3px;
  inset-inline-start: 50%;
  min-width: 1.64em;
  box-sizing: border-box;
  padding: 0 .36em;
  border-radius: 1em;
  background: var(--_badge);
  color: var(--_on-badge);
  font: 650 .786em/1.64 var(--_font);
  translate: calc((1.64em - 100%) * .3);
  font-variant-numeric: tabular-nums;
  text-align: center;
  box-shadow: 0 0 0 2px var(--nc-bell-backdrop, var(--_surface));
}
.badge:dir(rtl) { translate: calc((100% - 1.64em) * .3) }
.badge[hidden] { display: none }
.missing { position: absolute; inset: 100% auto auto; inset-inline-end: 0; width: max-content; font: inherit }
.live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.rings svg { animation: ring .7s ease-in-out }
.rings + .badge { animation: pop .3s ease-out }
@media (prefers-reduced-motion: reduce) {
  .root :not(.tabs), .root ::before, .root ::after { animation: none !important; transition: none !important }
}
@media (forced-colors: active) {
  .badge { border: 1px solid CanvasText }
}
@keyframes ring { 15% { rotate: 14deg } 35% { rotate: -11deg } 55% { rotate: 7deg } 75% { rotate: -4deg } }
@keyframes pop { 0% { scale: .4 } 70% { scale: 1.15 } }
`)
