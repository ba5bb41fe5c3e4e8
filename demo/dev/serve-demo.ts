// Lets Vite's dev server answer for the demo's page, with the widget from its sources (`npm run dev`).

import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { pageAt } from '../backend/page-paths.ts'

const BUILT = '<script src="/widget/notification-center.js" async vite-ignore></script>'
const WIDGET = fileURLToPath(new URL('../../widget/define.ts', import.meta.url))

/** Takes no part in builds. */
export function serveDemo(): Plugin {
  return {
    name: 'serve-demo',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const { pathname, search } = new URL(request.url ?? '/', 'http://dev')
        const page = pageAt(pathname)
        if (page !== undefined) request.url = page + search
        next()
      })
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace(BUILT, `<script type="module" src="/@fs${WIDGET}"></script>`),
    },
  }
}
