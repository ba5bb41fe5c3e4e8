// Styles of <nc-settings>.

import { css } from 'lit'

export const settingsStyles = css`
.settings .detail-scroll { --_cell: clamp(58px, 4rem, min(18vw, 128px)); display: flex; flex-direction: column; padding-block: 4px 20px; padding-inline: 22px 18px }
.settings-heads { position: sticky; inset-block-start: -4px; z-index: 1; display: flex; justify-content: flex-end; align-items: end; gap: 12px; padding-block: 10px 6px; background: var(--_surface); border-block-end: 1px solid var(--_line); font-size: min(.821em, 3.6vw); font-weight: 500; line-height: 1.3 }
.settings-heads span { width: calc(var(--_cell) + 22px); margin-inline: -11px; text-align: center; overflow-wrap: anywhere }
.setting { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 12px; min-height: 54px; padding-block: 10px; border-block-end: 1px solid color-mix(in srgb, var(--_line) 70%, transparent) }
.setting-name { flex: 1; min-width: 0; display: grid; gap: 2px; font-weight: 560; overflow-wrap: anywhere }
.settings-hint { display: flex; align-items: center; gap: 4px; margin: 0; color: var(--_muted); font-size: .893em; font-weight: 400 }
.settings-hint.none { padding-block: 16px }
.locked .icon { width: 15px; height: 15px }
.switch { all: unset; flex: none; position: relative; width: 40px; height: 24px; margin-inline: calc(var(--_cell) / 2 - 20px); border-radius: 12px; background: color-mix(in srgb, var(--_muted) 75%, var(--_surface)); cursor: pointer; transition: background-color .15s }
.switch::after { content: ""; position: absolute; inset-block-start: 3px; inset-inline-start: 3px; width: 18px; height: 18px; border-radius: 50%; background: #fff; transition: inset-inline-start .15s }
.switch:checked { background: var(--_accent) }
.switch:checked::after { inset-inline-start: 19px; background: var(--_on-accent) }
.switch:disabled { opacity: .5; cursor: default }
.settings :is(input, select):focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px }
.setting:has(+ .quiet) { border-block-end: 0 }
.quiet { margin-block-start: 18px; margin-inline: -12px -8px; padding-block: 12px 14px; padding-inline: 12px 8px; border: 1px solid var(--_line); border-radius: 12px; background: var(--_raised) }
.settings .keys-link { align-self: flex-start; flex: none; margin-block-start: 14px; color: var(--_muted); font-size: .929em }
@media not (any-pointer: fine) { .keys-link { display: none } }
.hours { flex-basis: 100%; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10em), 1fr)); gap: 10px 12px }
.hours label { display: grid; gap: 4px; min-width: 0; color: var(--_muted); font-size: .893em }
.hours .zone { grid-column: 1 / -1 }
.hours :is(input, select) { width: 100%; min-height: 36px; padding: 5px 10px; border: 1px solid color-mix(in srgb, var(--_muted) 75%, var(--_surface)); border-radius: 9px; background: var(--_surface); color: var(--_text); font: inherit; font-size: 1.12em; color-scheme: inherit }
@media (any-pointer: coarse) { .hours :is(input, select) { font-size: max(1.12em, 16px) } }
@media (forced-colors: none) {
  .hours .zone select { --_end: 100%; appearance: none; padding-inline-end: 32px; background: linear-gradient(45deg, #0000 50%, var(--_muted) 0) calc(var(--_end) - 16px) 50% / 5px 5px no-repeat, linear-gradient(-45deg, #0000 50%, var(--_muted) 0) calc(var(--_end) - 11px) 50% / 5px 5px no-repeat, var(--_surface) }
  .hours .zone select:dir(rtl) { --_end: 27px }
}
@media (forced-colors: active) {
  .switch { border: 1px solid ButtonText; forced-color-adjust: none; background: ButtonFace }
  .switch::after { background: ButtonText; inset-block-start: 2px }
  .switch:checked { background: Highlight }
  .switch:checked::after { background: HighlightText }
}
`
