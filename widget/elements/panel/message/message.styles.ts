// Styles that rows, the detail and toasts have in common: picture, title, time, buttons.

import { css } from 'lit'

export const messageStyles = css`
:is(button, a):active { opacity: .7 }
.avatar { flex: none; width: 2.571em; height: 2.571em; display: grid; place-items: center; border-radius: 11px; overflow: hidden; background: color-mix(in srgb, var(--_tone) 13%, #0000); color: var(--_tone) }
.avatar.plain { --_tone: var(--_muted) }
.avatar.kind { --_tone: var(--_accent) }
.avatar:is(.kind, .error):not(:has(svg)) { font-size: 1em; font-weight: 650 }
.avatar.info { --_tone: light-dark(#2563d8, #7fb0ff) }
.avatar.success { --_tone: light-dark(#13804a, #5fd39a) }
.avatar.warning { --_tone: light-dark(#9a6200, #ffc45c) }
.avatar.error { --_tone: light-dark(#cc2b3d, #ff8590) }
.avatar img { width: 100%; height: 100%; object-fit: cover }
.avatar.large { width: 4em; height: 4em; border-radius: 18px }
.avatar.large .icon { width: 2em; height: 2em }
.words { flex: 1; min-width: 0 }
.time { flex: none; color: var(--_muted); font-size: .857em; font-variant-numeric: tabular-nums; white-space: nowrap }
.priority { flex: none; font-size: .857em; font-weight: 650; color: light-dark(#cc2b3d, #ff8590) }
.priority .icon { display: block; width: 1.333em; height: 1.333em; stroke-width: 2.4 }
.line .priority { align-self: center; margin-inline-end: -5px }
.priority.high { color: light-dark(#8a5800, #ffc45c) }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 10px }
.button {
  all: unset; display: inline-flex; align-items: center; gap: 6px; min-height: 30px; max-width: 100%; padding: 4px 12px;
  border-radius: 9px; border: 1px solid var(--_line); background: var(--_surface); color: var(--_text);
  font-size: .929em; font-weight: 550; line-height: 1.3; cursor: pointer; overflow-wrap: anywhere; transition: background-color .12s;
}
.button:hover { background: var(--_raised) }
.button.primary { background: var(--_accent); border-color: #0000; color: var(--_on-accent) }
.button.primary:hover { background: var(--_accent); filter: brightness(1.08) }
.button.danger { color: light-dark(#c4203a, #ff8590); border-color: color-mix(in srgb, currentColor 35%, #0000) }
.button.quiet { background: none; border-color: #0000; color: var(--_accent) }
.button .icon { width: 1.23em; height: 1.23em }
:is(.detail, .state) .button { min-height: 36px; padding: 6px 16px }
`
