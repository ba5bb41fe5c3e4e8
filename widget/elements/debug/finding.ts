// Something that is not as it is to be, in words, and what to do about it.

export interface Finding {
  /** `hint`: it works, but not as well as it could. */
  weight: 'error' | 'hint'
  what: string
  todo: string
}

export const fault = (what: string, todo: string): Finding => ({ weight: 'error', what, todo })
export const hint = (what: string, todo: string): Finding => ({ weight: 'hint', what, todo })
