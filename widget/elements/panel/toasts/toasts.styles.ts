// Styles of <nc-toasts>: in the corner of the window, above the page.

import { css } from 'lit'

export const toastStyles = css`
.toasts { --_side: calc(16px + max(env(safe-area-inset-left), env(safe-area-inset-right))); position: fixed; z-index: 2147483647; inset: auto; inset-block-end: calc(6px + env(safe-area-inset-bottom)); inset-inline-end: var(--_side); margin: 0; padding: 0; border: 0; background: none; overflow: visible; width: max(360px, 20em); max-width: calc(100% - 2 * var(--_side)) }
.toast { display: flex; align-items: flex-start; gap: 12px; margin-block-end: 10px; padding: 12px 8px 12px 14px; border: 1px solid var(--_line); border-radius: 14px; background: var(--_surface); color: var(--_text); box-shadow: 0 10px 30px -6px rgb(16 20 40 / .25) }
.toast * { box-sizing: border-box }
.toast-words { flex: 1; min-width: 0; display: grid; justify-items: start; gap: 8px }
.toast .toast-open { all: unset; box-sizing: border-box; width: 100%; display: grid; grid-template-columns: minmax(0, 1fr) auto; column-gap: 10px; align-items: baseline; cursor: pointer; line-height: 1.4; border-radius: 6px; overflow-wrap: anywhere }
.toast-open > :is(strong, .toast-body) { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
.toast-open > .toast-body { grid-column: 1 / -1; -webkit-line-clamp: 1; margin-block-start: 2px; color: var(--_muted); font-size: .929em }
.toast-open:dir(rtl) { text-align: right }
.toast .icon-button { all: unset; display: grid; place-items: center; flex: none; width: 30px; height: 30px; margin-block-start: -4px; border-radius: 9px; color: var(--_muted); cursor: pointer }
.toast .icon-button:hover { background: var(--_raised); color: var(--_text) }
.toast .icon { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round }
.toast :is(button, a):focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px }
@media (prefers-reduced-motion: no-preference) { .toast { animation: toast-in .22s cubic-bezier(.2, .8, .3, 1) } }
@media (forced-colors: active) { .toast.urgent { border-inline-start: 6px solid Highlight } }
@keyframes toast-in { from { opacity: 0; transform: translateY(8px) } }
`
