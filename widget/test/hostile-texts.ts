// Texts that want to be more than text: each is put into every field of a message.

const DEED = 'globalThis.pwned=1'

export const HOSTILE_TEXTS: readonly string[] = [
  `<script>${DEED}</script>`,
  `<img src=x onerror=${DEED}>`,
  `"><svg onload=${DEED}>`,
  `javascript:${DEED}`,
  `JaVaScRiPt:${DEED}`,
  `java\tscript:${DEED}`,
  ` javascript:${DEED}`,
  `\u0001javascript:${DEED}`,
  `data:text/html,<script>${DEED}</script>`,
  `vbscript:${DEED}`,
  '//evil.example/x',
  '/\\evil.example',
  'https://user:pass@evil.example',
  `[click](javascript:${DEED})`,
  `[click](data:text/html;base64,PHNjcmlwdD4=)`,
  `![x](javascript:${DEED})`,
  `<a href="javascript:${DEED}">x</a>`,
  `</style><script>${DEED}</script>`,
  `\${globalThis.pwned=1}`,
  '{{constructor.constructor("globalThis.pwned=1")()}}',
  '<!--lit-part--><script>globalThis.pwned=1</script>',
  'lit$1234$ ?lit$ <template>',
  '__proto__',
  '\u202Egnp.exe\u2066',
  '𝒽𝑜𝓈𝓉𝒾𝓁𝑒 🧨'.repeat(40),
  'W'.repeat(3_000),
  '*'.repeat(2_000),
  '['.repeat(2_000),
]
