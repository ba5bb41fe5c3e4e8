// Styles of a row: the day above it, the dot, title and text, and the actions that stand on its upper edge.

import { css } from 'lit'

export const rowStyles = css`
nc-row { display: block }
.row {
  display: flex; gap: 12px; position: relative; padding-block: 14px; padding-inline: 22px 18px; cursor: pointer;
  border-block-end: 1px solid color-mix(in srgb, var(--_line) 70%, #0000);
  transition: background-color .12s;
}
.row:dir(rtl) { text-align: right }
.row:dir(rtl) :is(.title, .excerpt) { padding-right: 12px; margin-right: -12px }
article.row:hover, article.row:focus-within { background: var(--_raised) }
article.row:active { background: color-mix(in srgb, var(--_text) 8%, var(--_raised)); outline: 1px solid #0000; outline-offset: -1px }
article.row:hover .button.default:hover { background: color-mix(in srgb, var(--_text) 8%, var(--_raised)) }
:last-child > article.row, .bone-row:last-child { border-color: #0000 }
.dot { position: absolute; inset-inline-start: 8px; inset-block-start: calc(10px + 1.286em); width: .571em; height: .571em; border-radius: 50%; background: var(--nc-dot, var(--_accent)) }
.day { margin: 0; padding: 14px 22px 4px; color: var(--_muted); font-size: .857em; font-weight: 600 }
.day::first-letter { text-transform: uppercase }
.box { flex: none; display: grid; place-items: center; width: 2.571em; height: 2.571em }
.choose { appearance: none; flex: none; display: grid; place-items: center; width: max(24px, 1.571em); height: max(24px, 1.571em); margin: 0; font-size: 1em; border: 1.5px solid color-mix(in srgb, var(--_muted) 80%, var(--_surface)); border-radius: 7px; background: var(--_surface); color: var(--_on-accent); cursor: pointer }
.choose:is(:checked, :indeterminate) { border-color: #0000; background: var(--_accent) }
.choose:checked::before { content: ""; width: .8em; height: .4em; margin-block-end: .2em; border: solid; border-width: 0 0 2px 2px; rotate: -45deg }
.choose:indeterminate::before { content: ""; width: .8em; border-block-end: 2px solid }
.line { display: flex; align-items: baseline; gap: 10px }
.title {
  all: unset; flex: 1; min-width: 0; cursor: pointer; font-size: 1em; font-weight: 500; line-height: 1.4; color: var(--_text); text-wrap: pretty;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere;
}
.unopened .title { font-weight: 650 }
.excerpt {
  margin: 2px 0 0; color: var(--_muted); font-size: .929em; line-height: 1.45; overflow-wrap: anywhere;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
}
.quick { position: absolute; inset-inline-end: 14px; inset-block-end: calc(100% - 12px); display: flex; border: 1px solid var(--_line); border-radius: 9px; background: var(--_surface); box-shadow: 0 2px 8px #0002; opacity: 0; pointer-events: none; transition: opacity .12s }
.quick .icon-button { width: 1.857em; height: 1.857em; border-radius: 8px }
.quick .icon-button:hover { background: color-mix(in srgb, var(--_text) 8%, var(--_raised)) }
.quick .icon { width: 1.286em; height: 1.286em }
@media (hover: hover) {
  .row:hover .quick { opacity: 1; pointer-events: auto }
}
/* No room above the first row of a list without days. */
nc-row:first-child > .row:first-child .quick { inset-block: 2px auto }
.row:is(:hover, :focus-within) { z-index: 1 }
.row:focus-visible .quick, .quick:focus-within { opacity: 1; pointer-events: auto }
@media (forced-colors: active) {
  .dot { background: Highlight !important; forced-color-adjust: none }
  .choose { appearance: auto }
  .choose::before { content: none !important }
}
`
