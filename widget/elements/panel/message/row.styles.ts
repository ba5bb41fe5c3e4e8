// Styles of a row: the day above it, the dot, title and text, and the actions that stand over the time.

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
.dot { position: absolute; inset-inline-start: 8px; inset-block-start: 28px; width: 8px; height: 8px; border-radius: 50%; background: var(--nc-dot, var(--_accent)) }
.day { margin: 0; padding: 14px 22px 4px; color: var(--_muted); font-size: .857em; font-weight: 600 }
.day::first-letter { text-transform: uppercase }
.choose { flex: none; width: 24px; height: 24px; margin: 6px 0 0; margin-inline-end: -4px; accent-color: var(--_accent); cursor: pointer }
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
.quick { position: absolute; inset-inline-end: 10px; inset-block-start: 9px; display: flex; justify-content: flex-end; min-width: 78px; border-radius: 9px; background: var(--_raised); opacity: 0; pointer-events: none; transition: opacity .12s }
.quick .icon-button { width: 26px; height: 26px; border-radius: 8px }
.quick .icon-button:hover { background: color-mix(in srgb, var(--_text) 8%, var(--_raised)) }
.quick .icon { width: 18px; height: 18px }
@media (hover: hover) {
  .row .time { min-width: 60px; text-align: end }
  .row:hover .quick { opacity: 1; pointer-events: auto }
  .row:hover:has(.quick) .time { opacity: 0 }
}
.row:focus-visible .quick, .quick:focus-within { opacity: 1; pointer-events: auto }
.row:focus-visible:has(.quick) .time { min-width: 60px; opacity: 0 }
@media (forced-colors: active) {
  .dot { background: Highlight !important; forced-color-adjust: none }
}
`
