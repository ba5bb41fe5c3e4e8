// Finds the types of a route by its method and its path, as `/openapi.json` describes them.

import type { paths } from './paths.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** True when a path has the segments of a pattern such as `/v1/users/{userId}`. */
type Fits<Pattern extends string, Path extends string> = Pattern extends `${infer Head}/${infer Tail}`
  ? Path extends `${infer Given}/${infer Rest}`
    ? FitsSegment<Head, Given> extends true
      ? Fits<Tail, Rest>
      : false
    : false
  : Path extends `${string}/${string}`
    ? false
    : FitsSegment<Pattern, Path>

type FitsSegment<Segment extends string, Given extends string> = Segment extends `{${string}}`
  ? true
  : Given extends Segment
    ? true
    : false

type WithoutQuery<Path extends string> = Path extends `${infer Bare}?${string}` ? Bare : Path

type PatternOf<Path extends string> = Path extends keyof paths
  ? Path
  : { [Pattern in keyof paths]: Fits<Pattern, Path> extends true ? Pattern : never }[keyof paths]

type Operation<Method extends HttpMethod, Path extends string> =
  PatternOf<WithoutQuery<Path>> extends infer Pattern extends keyof paths
    ? Lowercase<Method> extends keyof paths[Pattern]
      ? paths[Pattern][Lowercase<Method>]
      : never
    : never

type Json<Message> = Message extends { content: { 'application/json': infer Content } } ? Content : undefined

/** What a route takes; anything for a route that the types do not know. */
export type BodyOf<Method extends HttpMethod, Path extends string> = [Operation<Method, Path>] extends [never]
  ? unknown
  : Operation<Method, Path> extends { requestBody?: infer Body }
    ? Json<Exclude<Body, undefined>>
    : undefined

type Csv<Message> = Message extends { content: { 'text/csv': infer Content } } ? Content : never

/** What a route answers, of an export its CSV; `unknown` for a route that the types do not know. */
export type AnswerOf<Method extends HttpMethod, Path extends string> = [Operation<Method, Path>] extends [never]
  ? unknown
  : Operation<Method, Path> extends { responses: infer Answers }
    ? [Csv<Answers[keyof Answers]>] extends [never]
      ? Json<Answers[keyof Answers]>
      : Csv<Answers[keyof Answers]>
    : undefined
