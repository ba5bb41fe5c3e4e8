// Renders the chart of `deploy/chart` by Helm, for its tests.

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { programPath } from '../programs/programs.ts'
import type { ContainerPrograms } from './container-programs.ts'

export const CHART = resolve(import.meta.dirname, '../../deploy/chart')
/** The oldest version of Kubernetes that the chart names. */
export const OLDEST = '1.25'
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.16.4'

/** Parts of an object of Kubernetes that the tests read. */
export interface Rendered {
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  data: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another one.
  spec: any
}

export type Chart = Awaited<ReturnType<typeof openChart>>

/** Builds Helm, and installs what validates objects. */
export async function openChart({ folder, call }: ContainerPrograms) {
  const tools = join(folder, 'python')
  await call('pip3', ['install', '--quiet', '--target', tools, 'kubernetes-validate'])
  await call(programPath('go'), ['install', HELM], folder, { GOBIN: folder })
  const python = { PYTHONPATH: tools }
  const helm = (...args: string[]) => call(join(folder, 'helm'), args)
  let files = 0
  /** Writes a file of values, or of objects. JSON is YAML. @returns its path */
  const writeFile = (text: string): string => {
    files += 1
    const path = join(folder, `${files}.yaml`)
    writeFileSync(path, text)
    return path
  }
  return {
    helm,
    writeFile,
    /** Renders the chart as `helm install nc` does. @throws with the message of the chart */
    async render(values: object, kubernetes = OLDEST): Promise<Rendered[]> {
      const args = ['--values', writeFile(JSON.stringify(values)), '--kube-version', kubernetes]
      const text = await helm('template', 'nc', CHART, ...args)
      const script =
        'import json, sys, yaml; print(json.dumps([d for d in yaml.safe_load_all(open(sys.argv[1])) if d]))'
      return JSON.parse(await call('python3', ['-c', script, writeFile(text)], folder, python))
    },
    /** Compares an object with the schema of this version of Kubernetes. @returns what it printed @throws its finds */
    validate(object: Rendered, kubernetes: string): Promise<string> {
      const args = ['--strict', '--no-warn', '-k', kubernetes, writeFile(JSON.stringify(object))]
      return call(join(tools, 'bin/kubernetes-validate'), args, folder, python)
    },
  }
}

export function find(objects: Rendered[], kind: string): Rendered {
  const found = objects.find((object) => object.kind === kind)
  if (found === undefined) throw new Error(`The chart renders no ${kind}.`)
  return found
}
