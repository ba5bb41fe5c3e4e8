// Sets properties of an element's style by script: the policy forbids the attribute `style`.

import { noChange } from 'lit'
import {
  Directive,
  type DirectiveParameters,
  directive,
  type ElementPart,
  type PartInfo,
  PartType,
} from 'lit/directive.js'

class SetStyle extends Directive {
  constructor(part: PartInfo) {
    super(part)
    if (part.type !== PartType.ELEMENT) throw new Error('setStyle belongs in the tag of an element')
  }

  override update(part: ElementPart, [values]: DirectiveParameters<this>): unknown {
    const { style } = part.element as HTMLElement
    for (const [name, value] of Object.entries(values)) style.setProperty(name, value)
    return noChange
  }

  render(_values: Readonly<Record<string, string>>): unknown {
    return noChange
  }
}

/** `<div ${setStyle({ transform: 'translateY(40px)' })}>`; names are those of CSS. */
export const setStyle = directive(SetStyle)
