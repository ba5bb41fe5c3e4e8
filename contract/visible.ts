// Says which texts say something: those with a sign that a reader sees.

/** Such as a letter or an emoji: no space, no joiner, no mark of another sign, and no filler of an alphabet. */
export const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u
