<?php
/**
 * The redirect for programs in PHP: `sandbox exec --redirect` and `sandbox up -- COMMAND` load it by PHP_INI_SCAN_DIR.
 *
 * Redirects HTTP calls to the vendors' hosts to the sandbox, whose addresses are in the setting sandbox.hosts. PHP can't replace its own functions,
 * and clients pass their own certificates to curl. So PHP files are rewritten when they are included: calls of curl_exec and similar functions
 * become calls of the functions here, on the same lines. Covers curl and http streams: the vendors' own clients, Guzzle, Symfony's client.
 * Code outside of files (`php -r`, eval, .phar) and functions called by name are redirected by the proxy, if they use curl with its
 * default certificates. Sockets (fsockopen, ReactPHP) aren't redirected.
 */
final class SandboxRedirect
{
    private const CURL = ['curl_exec', 'curl_multi_add_handle'];
    /** Default arguments, up to `context`, of stream functions, which also set the local variable $http_response_header. */
    private const STREAMS = [
        'file_get_contents' => [1 => false, null],
        'fopen' => [1 => 'r', false, null],
        'file' => [1 => 0, null],
        'readfile' => [1 => false, null],
    ];

    /** Replaces the calls of these functions in PHP code. */
    public static function replaced(string $code): string
    {
        $names = implode('|', array_merge(self::CURL, array_keys(self::STREAMS)));
        if (preg_match("/\\b($names)\\s*\\(/i", $code) !== 1 || strpos($code, '__HALT_COMPILER') !== false) return $code;
        // `use function Safe\fopen` imports a different function of the same name.
        preg_match_all("/\\buse\\s+function\\s+[\\w\\\\]+\\\\($names)\\b/i", $code, $imported);
        // In a string or comment, a name is part of a longer token.
        $texts = array_map(fn($token) => is_array($token) ? $token[1] : $token, token_get_all($code));
        $before = '';
        foreach ($texts as $at => $text) {
            if (trim($text) === '') continue;
            $isName = preg_match("/^\\\\?($names)$/i", $text, $found) === 1 && !in_array($text, $imported[1], true);
            if ($isName && preg_match('/^(\??->|::|function|new)$/i', $before) !== 1) {
                for ($next = $at + 1; trim($texts[$next] ?? '(') === ''; ) $next++;
                $name = strtolower($found[1]);
                $isStream = isset(self::STREAMS[$name]);
                // `fopen(...)` with three dots creates a closure; it isn't a call.
                if (($texts[$next] ?? '') === '(' && !($isStream && ($texts[$next + 1] ?? '') === '...')) {
                    $texts[$at] = ($before === '\\' ? '' : '\\') . 'SandboxRedirect::' . ($isStream ? 'stream' : $name);
                    if ($isStream) $texts[$next] = "(\$http_response_header, '$name', ";
                }
            }
            $before = $text;
        }
        return implode('', $texts);
    }

    /** The main program, which PHP opened before this file, with its calls replaced. */
    public static function main(): ?string
    {
        $file = PHP_SAPI === 'cli-server' ? '' : (string) ($_SERVER['SCRIPT_FILENAME'] ?? '');
        if (!is_file($file)) return null;
        $code = file_get_contents($file);
        return self::replaced($code) === $code ? null : $file;
    }

    /** The auto_prepend_file of PHP's own settings, which the redirect's setting overrides. */
    public static function prepended(): ?string
    {
        $files = array_map('trim', array_merge([(string) php_ini_loaded_file()], explode(',', (string) php_ini_scanned_files())));
        foreach ($files as $each)
            if (is_file($each) && realpath(dirname($each)) !== __DIR__)
                $file = (parse_ini_file($each, false, INI_SCANNER_RAW) ?: [])['auto_prepend_file'] ?? $file ?? '';
        return ($file ?? '') === '' ? null : $file;
    }

    /** @return ?array{string, string} a vendor's host in a URL, and the address and port of its pack */
    private static function placeOf(string $url): ?array
    {
        $isWeb = preg_match('~^\s*(?:https?:)?//(?:[^/?#@]*@)?([^/?#:]+)~i', strpos($url, '://') ? $url : "//$url", $found) === 1;
        $name = strtolower(rtrim($found[1] ?? '', '.'));
        foreach ($isWeb ? explode(',', (string) get_cfg_var('sandbox.hosts')) : [] as $each) {
            [$host, $address] = explode('=', $each, 2) + ['', ''];
            if ($host === $name || (substr($host, 0, 2) === '*.' && substr($name, 1 - strlen($host)) === substr($host, 1)))
                return [$found[1], rtrim(preg_replace('~^http://~', '', $address), '/')];
        }
        return null;
    }

    private static function plain(string $url): string
    {
        return preg_replace('~^\s*https:~i', 'http:', $url);
    }

    /** Changes a curl handle to connect to the sandbox by plain HTTP and send the same request. */
    private static function redirected($handle)
    {
        $url = curl_getinfo($handle, CURLINFO_EFFECTIVE_URL);
        if ($place = self::placeOf($url))
            curl_setopt_array($handle, [
                CURLOPT_URL => self::plain($url),
                CURLOPT_CONNECT_TO => ["$place[0]::$place[1]"],
                CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
                CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
                CURLOPT_PROXY => '',
            ]);
        return $handle;
    }

    public static function curl_exec($handle)
    {
        return curl_exec(self::redirected($handle));
    }

    public static function curl_multi_add_handle($multi_handle, $handle)
    {
        return curl_multi_add_handle($multi_handle, self::redirected($handle));
    }

    /** Calls a stream function. For vendors' URLs it sets the sandbox as a proxy, which keeps the vendor's Host header. */
    public static function stream(&$headers, string $function, ...$args)
    {
        if (is_string($args[0] ?? null) && ($place = self::placeOf($args[0])) && strpos($args[0], '://')) {
            $args[0] = self::plain($args[0]);
            $at = isset($args['context']) ? 'context' : array_key_last(self::STREAMS[$function]);
            $args += $at === 'context' ? [] : self::STREAMS[$function];
            $context = $args[$at] ?? stream_context_get_default();
            $options = ['http' => ['proxy' => "tcp://$place[1]"]];
            $args[$at] = stream_context_create(array_replace_recursive(stream_context_get_options($context), $options));
            if ($at !== 'context') ksort($args);
        }
        $result = $function(...$args);
        if (isset($http_response_header)) $headers = $http_response_header;
        return $result;
    }
}

/** Stream wrapper for files: rewrites included PHP code, and delegates everything else to PHP's own wrapper. */
final class SandboxRedirectFiles
{
    private const INCLUDED = 128;
    public $context;
    private $inner;

    public static function put(): void
    {
        stream_wrapper_unregister('file');
        stream_wrapper_register('file', self::class);
    }

    private function native(string $function, ...$args)
    {
        stream_wrapper_restore('file');
        try {
            return @$function(...$args, ...(is_resource($this->context) ? [$this->context] : []));
        } finally {
            self::put();
        }
    }

    public function stream_open($path, $mode, $options, &$opened)
    {
        $this->inner = $this->native('fopen', $path, $mode, (bool) ($options & STREAM_USE_PATH));
        if ($this->inner === false) return false;
        if ($options & self::INCLUDED) {
            // Removes an interpreter line at the top of a main program, and keeps the line numbers.
            $code = preg_replace('/^#!.*\R<\?php\b/', "<?php\n", stream_get_contents($this->inner));
            $this->inner = fopen('php://memory', 'r+');
            fwrite($this->inner, SandboxRedirect::replaced($code));
            rewind($this->inner);
            $opened = $path;
        }
        return true;
    }

    public function stream_read($count) { return fread($this->inner, $count); }
    public function stream_write($data) { return fwrite($this->inner, $data); }
    public function stream_eof() { return feof($this->inner); }
    public function stream_tell() { return ftell($this->inner); }
    public function stream_seek($offset, $whence) { return fseek($this->inner, $offset, $whence) === 0; }
    public function stream_flush() { return fflush($this->inner); }
    public function stream_close() { fclose($this->inner); }
    public function stream_stat() { return fstat($this->inner); }
    public function stream_truncate($size) { return ftruncate($this->inner, $size); }
    public function stream_lock($operation) { return $operation === 0 || flock($this->inner, $operation); }
    public function stream_cast() { return $this->inner; }
    public function stream_set_option($option, $first, $second)
    {
        if ($option === STREAM_OPTION_BLOCKING) return stream_set_blocking($this->inner, (bool) $first);
        if ($option === STREAM_OPTION_READ_TIMEOUT) return stream_set_timeout($this->inner, $first, $second);
        return false;
    }
    public function stream_metadata($path, $option, $value)
    {
        if ($option === STREAM_META_TOUCH) return $this->native('touch', $path, ...$value);
        if ($option === STREAM_META_ACCESS) return $this->native('chmod', $path, $value);
        $isOwner = $option === STREAM_META_OWNER || $option === STREAM_META_OWNER_NAME;
        return $this->native($isOwner ? 'chown' : 'chgrp', $path, $value);
    }
    public function url_stat($path, $flags) { return $this->native($flags & STREAM_URL_STAT_LINK ? 'lstat' : 'stat', $path); }
    public function unlink($path) { return $this->native('unlink', $path); }
    public function rename($from, $to) { return $this->native('rename', $from, $to); }
    public function mkdir($path, $mode, $options) { return $this->native('mkdir', $path, $mode, (bool) ($options & STREAM_MKDIR_RECURSIVE)); }
    public function rmdir($path) { return $this->native('rmdir', $path); }
    public function dir_opendir($path) { return ($this->inner = $this->native('opendir', $path)) !== false; }
    public function dir_readdir() { return readdir($this->inner); }
    public function dir_rewinddir() { rewinddir($this->inner); return true; }
    public function dir_closedir() { closedir($this->inner); return true; }
}

SandboxRedirectFiles::put();
if (SandboxRedirect::prepended() !== null) require SandboxRedirect::prepended();
if (SandboxRedirect::main() !== null) {
    require SandboxRedirect::main();
    exit;
}
