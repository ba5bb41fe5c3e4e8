// Replaces the tags of Liquid that parse in quadratic time, or that read values without an operator or filter.

import { CaseTag, type Context, CycleTag, evalToken, type Liquid, LiquidTag, type Token, toValue } from 'liquidjs'
import { withoutMarkup } from './liquid-markup.ts'
import { isEqual } from './liquid-operators.ts'
import { chargeAsText } from './value-cost.ts'

type Emitter = Parameters<CaseTag['render']>[1]

/** Tags that read other templates, and one that writes HTML. */
const REMOVED = ['include', 'render', 'layout', 'block', 'tablerow']

/** Compares as `==` does, with its charge. */
class MeteredCase extends CaseTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const target = toValue(yield this.value.value(ctx))
    let isHit = false
    for (const { values, templates } of this.branches) {
      for (const token of values) {
        if (!isEqual(target, yield evalToken(token, ctx), ctx)) continue
        yield this.liquid.renderer.renderTemplates(templates, ctx, emitter)
        isHit = true
        break
      }
    }
    if (!isHit) yield this.liquid.renderer.renderTemplates(this.elseTemplates, ctx, emitter)
  }
}

/** The name of a group becomes part of a key that is kept until the end. */
class MeteredCycle extends CycleTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
    for (const argument of this.arguments()) {
      if ('begin' in argument && !('filters' in argument)) {
        chargeAsText(withoutMarkup(yield evalToken(argument as Token, ctx)))
      }
    }
    return yield super.render(ctx, emitter)
  }
}

/** Reading a line takes as long as what is left of it, for each `liquid` within it. */
class FlatLiquid extends LiquidTag {
  constructor(...args: ConstructorParameters<typeof LiquidTag>) {
    if (!args[0].getText().startsWith('{%')) throw new Error('the tag liquid is no part of another')
    super(...args)
  }
}

export function replaceTags(engine: Liquid): void {
  for (const tag of REMOVED) delete engine.tags[tag]
  engine.registerTag('case', MeteredCase)
  engine.registerTag('cycle', MeteredCycle)
  engine.registerTag('liquid', FlatLiquid)
  engine.registerTag('#', {
    // The engine looks for a line without `#` in quadratic time.
    parse({ args }) {
      const [, ...lines] = args.split('\n').map((line) => line.trim())
      if (lines.some((line) => line !== '' && !line.startsWith('#')))
        throw new Error("every line of an inline comment must start with a '#' character")
    },
    render() {},
  })
}
