// Lets the Enter key submit a form: browsers look for a button of their own, and not for one of the library.

import { html, type TemplateResult } from 'lit'

/** Belongs in each form whose visible button is one of the library. */
export const enterButton: TemplateResult = html`<button type="submit" hidden></button>`
