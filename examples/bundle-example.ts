// Bundles an example like a customer: with its framework's own compiler and the packed package, mounted in a page.

import { readFile } from 'node:fs/promises'
import { transformAsync } from '@babel/core'
import solid from 'babel-preset-solid'
import { type BuildOptions, build, type OnLoadResult } from 'esbuild'
import { compile } from 'svelte/compiler'
import { compileScript, parse } from 'vue/compiler-sfc'

/** The customer's code around the component, by framework. */
const MOUNTS: Record<string, string> = {
  plain: `import './plain.ts'`,
  preact: `import { h, render } from 'preact'
    import { Header } from './preact.tsx'
    render(h(Header, { apiKey }), document.body)`,
  react: `import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import { Header } from './react.tsx'
    createRoot(document.querySelector('main')).render(createElement(Header, { apiKey }))`,
  'react-18': `import { createElement, StrictMode } from 'react'
    import { createRoot } from 'react-dom/client'
    import { Header } from './react-18.tsx'
    createRoot(document.querySelector('main')).render(createElement(StrictMode, null, createElement(Header, { apiKey })))`,
  solid: `import { createComponent, render } from 'solid-js/web'
    import { Header } from './solid.tsx'
    render(() => createComponent(Header, { apiKey }), document.body)`,
  svelte: `import { mount } from 'svelte'
    import Header from './svelte.svelte'
    mount(Header, { target: document.body, props: { apiKey } })`,
  vue: `import { createApp } from 'vue'
    import Header from './vue.vue'
    createApp(Header, { apiKey }).mount('main')`,
}

/** Builds as its own project would: React 18 stands beside 19, and its StrictMode does something in development alone. */
const OPTIONS: Record<string, BuildOptions> = {
  'react-18': {
    alias: { react: 'react-18', 'react-dom': 'react-dom-18' },
    define: { 'process.env.NODE_ENV': '"development"' },
  },
}

type Compile = (text: string, filename: string) => OnLoadResult | Promise<OnLoadResult>

/** Compilers by the end of the file name; esbuild compiles all other files itself. */
const COMPILERS: Record<string, Compile> = {
  'solid.tsx': async (text, filename) => {
    const syntax = { plugins: ['jsx' as const, 'typescript' as const] }
    const options = { filename, presets: [solid], parserOpts: syntax, babelrc: false, configFile: false as const }
    return { contents: (await transformAsync(text, options))?.code ?? '', loader: 'ts' }
  },
  '.svelte': (text, filename) => ({ contents: compile(text, { filename }).js.code, loader: 'js' }),
  '.vue': (text, filename) => {
    const compilerOptions = { isCustomElement: (tag: string) => tag === 'notification-center' }
    const { descriptor } = parse(text, { filename })
    const script = compileScript(descriptor, {
      id: filename,
      inlineTemplate: true,
      templateOptions: { compilerOptions },
    })
    return { contents: script.content, loader: 'ts' }
  },
}

/** Bundles one script that mounts the example of `room`; `fill` inserts the server and the key. */
export async function bundleExample(
  room: string,
  framework: string,
  apiKey: string,
  fill: (text: string) => string,
): Promise<string> {
  const options: BuildOptions = {
    stdin: { contents: `const apiKey = ${JSON.stringify(apiKey)}\n${MOUNTS[framework]}`, resolveDir: room },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    ...OPTIONS[framework],
    plugins: [
      { name: 'examples', setup: ({ onLoad }) => onLoad({ filter: new RegExp(`^${room}/[a-z]+(-\\d+)?\\.`) }, load) },
    ],
  }
  const load = async ({ path }: { path: string }): Promise<OnLoadResult> => {
    const text = fill(await readFile(path, 'utf8'))
    const compiler = Object.entries(COMPILERS).find(([end]) => path.endsWith(end))?.[1]
    return compiler?.(text, path) ?? { contents: text, loader: path.endsWith('x') ? 'tsx' : 'ts' }
  }
  const { outputFiles } = await build(options)
  return outputFiles?.[0]?.text ?? ''
}
