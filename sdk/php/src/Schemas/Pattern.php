<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Matches patterns of JSON Schema, which are ECMAScript's with the flag `u`, by PCRE.
 *
 * @internal
 */
final class Pattern
{
    /** White space of ECMAScript, as content of a class. */
    private const SPACES = '\x09-\x0D\x20\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}';
    /** Letters and digits that may follow a backslash in ECMAScript with the flag `u`. */
    private const ESCAPES = 'dDwWsSbBnrtvfcxukpP0123456789';

    /** Long names of general categories, of which PCRE knows the short ones alone. */
    private const CATEGORIES = [
        'Letter' => 'L', 'Cased_Letter' => 'L&', 'Uppercase_Letter' => 'Lu', 'Lowercase_Letter' => 'Ll',
        'Titlecase_Letter' => 'Lt', 'Modifier_Letter' => 'Lm', 'Other_Letter' => 'Lo', 'Mark' => 'M',
        'Combining_Mark' => 'M', 'Nonspacing_Mark' => 'Mn', 'Spacing_Mark' => 'Mc', 'Enclosing_Mark' => 'Me',
        'Number' => 'N', 'Decimal_Number' => 'Nd', 'digit' => 'Nd', 'Letter_Number' => 'Nl', 'Other_Number' => 'No',
        'Punctuation' => 'P', 'punct' => 'P', 'Connector_Punctuation' => 'Pc', 'Dash_Punctuation' => 'Pd',
        'Open_Punctuation' => 'Ps', 'Close_Punctuation' => 'Pe', 'Initial_Punctuation' => 'Pi',
        'Final_Punctuation' => 'Pf', 'Other_Punctuation' => 'Po', 'Symbol' => 'S', 'Math_Symbol' => 'Sm',
        'Currency_Symbol' => 'Sc', 'Modifier_Symbol' => 'Sk', 'Other_Symbol' => 'So', 'Separator' => 'Z',
        'Space_Separator' => 'Zs', 'Line_Separator' => 'Zl', 'Paragraph_Separator' => 'Zp', 'Other' => 'C',
        'Control' => 'Cc', 'cntrl' => 'Cc', 'Format' => 'Cf', 'Surrogate' => 'Cs', 'Private_Use' => 'Co',
        'Unassigned' => 'Cn',
    ];

    /** @var array<string, string|null> expressions of PCRE; null for an invalid pattern */
    private array $compiled = [];

    public static function isValid(string $pattern): bool
    {
        return self::compile($pattern) !== null;
    }

    /**
     * Returns whether the pattern matches anywhere in the text.
     *
     * @throws PatternLimitException
     */
    public function matches(string $pattern, string $text): bool
    {
        $expression = $this->compiled[$pattern] ??= self::compile($pattern);
        $count = $expression === null ? 0 : preg_match($expression, $text);
        return $count === false ? throw new PatternLimitException() : $count === 1;
    }

    private static function compile(string $pattern): ?string
    {
        $translated = (string) preg_replace('/\\\\u\{([0-9A-Fa-f]+)\}/', '\x{$1}', $pattern);
        $translated = self::shortenCategories(self::joinSurrogates($translated));
        $result = '';
        $isInClass = false;
        for ($at = 0, $end = strlen($translated); $at < $end; $at++) {
            $letter = $translated[$at];
            // ECMAScript's classes of nothing and of everything, which PCRE does not have.
            if (!$isInClass && preg_match('/\G\[(\^?)\]/', $translated, $empty, 0, $at) === 1) {
                $result .= $empty[1] === '' ? '(?!)' : '(?s:.)';
                $at += strlen($empty[0]) - 1;
                continue;
            }
            if ($letter !== '\\') {
                // A bracket within a class would begin a class of POSIX in PCRE.
                $isLiteral = $letter === '~' || ($letter === '[' && $isInClass);
                $isInClass = $letter === '[' || ($isInClass && $letter !== ']');
                $result .= $isLiteral ? "\\$letter" : $letter;
                continue;
            }
            $next = $translated[++$at] ?? '';
            if ($next === '' || (ctype_alnum($next) && !str_contains(self::ESCAPES, $next))) {
                return null;
            }
            $result .= match ($next) {
                's' => $isInClass ? self::SPACES : '[' . self::SPACES . ']',
                // Within a class a negated set cannot be written out; PCRE's own covers ASCII.
                'S' => $isInClass ? '\S' : '[^' . self::SPACES . ']',
                'v' => '\x0B',
                default => "\\$next",
            };
        }
        // (*UTF) without the modifier u: \d, \w and \b stay those of ASCII, as in ECMAScript. D: $ is the very end.
        $expression = "~(*UTF)$result~D";
        return @preg_match($expression, '') === false ? null : $expression;
    }

    /** Writes `\p{Letter}`, `\p{gc=Letter}` and `\p{Script=Greek}` in the form of PCRE. */
    private static function shortenCategories(string $pattern): string
    {
        $property = '/\\\\([pP])\{(?:(?:gc|General_Category|sc|Script)=)?([A-Za-z_]+)\}/';
        $shorten = static fn (array $m): string => "\\$m[1]{" . (self::CATEGORIES[$m[2]] ?? $m[2]) . '}';
        return (string) preg_replace_callback($property, $shorten, $pattern);
    }

    /** Writes `\uXXXX`, and two halves of a pair, in the form of PCRE. */
    private static function joinSurrogates(string $pattern): string
    {
        $pair = '/\\\\u([dD][89abAB][0-9A-Fa-f]{2})\\\\u([dD][c-fC-F][0-9A-Fa-f]{2})/';
        $joined = preg_replace_callback($pair, static function (array $m): string {
            $code = 0x10000 + ((hexdec($m[1]) & 0x3ff) << 10) + (hexdec($m[2]) & 0x3ff);
            return sprintf('\x{%X}', $code);
        }, $pattern);
        return (string) preg_replace('/\\\\u([0-9A-Fa-f]{4})/', '\x{$1}', (string) $joined);
    }
}
