// Draws icons from the sprite, also those inside of the components of the library: the policy allows no inline markup.

import { html, nothing, type TemplateResult } from 'lit'
import sprite from '../icons.svg?url'

/** The address of the sprite; a symbol's name follows `#`. */
export const SPRITE: string = sprite

/**
 * @param slot Where a component of the library places it, such as `start` of a button.
 * @returns A picture without a name of its own: the text beside it, or the button's label, has the words.
 */
export function icon(name: string, slot?: 'start'): TemplateResult {
  return html`<svg class="icon" slot=${slot ?? nothing} viewBox="0 0 24 24" aria-hidden="true" focusable="false"><use href=${`${SPRITE}#${name}`}></use></svg>`
}
