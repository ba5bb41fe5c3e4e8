// Keeps the script alive where the page refuses Lit's Trusted Types policy: Lit throws while it is evaluated. Imported before Lit.

interface PolicyFactory {
  createPolicy(name: string, rules: object): unknown
}

const factory: PolicyFactory | undefined = Reflect.get(globalThis, 'trustedTypes')
let refusal: Error | undefined

if (factory) {
  const createPolicy = factory.createPolicy.bind(factory)
  Object.defineProperty(factory, 'createPolicy', {
    configurable: true,
    value: (name: string, rules: object) => {
      try {
        return createPolicy(name, rules)
      } catch (error) {
        if (name !== 'lit-html') throw error
        refusal = error as Error
        return rules
      }
    },
  })
}

/**
 * Gives the page its own `createPolicy` back; called once Lit is evaluated.
 * @returns why the page refused Lit's policy: no template can be rendered then; undefined when it did not
 */
export function endLitPolicyGuard(): Error | undefined {
  if (factory) Reflect.deleteProperty(factory, 'createPolicy')
  return refusal
}
