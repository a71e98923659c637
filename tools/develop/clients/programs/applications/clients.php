<?php
require 'GuzzleHttp/autoload.php';
require 'Symfony/Component/HttpClient/autoload.php';

use GuzzleHttp\{Client, Handler\StreamHandler, HandlerStack};
use Symfony\Component\HttpClient\{CurlHttpClient, NativeHttpClient};

$url = 'https://api.stripe.com/v1/balance';
$options = ['headers' => ['Authorization' => 'Bearer ' . getenv('SANDBOX_KEY')]];
$guzzle = new Client($options);
echo 'Guzzle ', $guzzle->get($url)->getStatusCode(), "\n";
echo 'Guzzle async ', $guzzle->getAsync($url)->wait()->getStatusCode(), "\n";
$streams = new Client($options + ['handler' => HandlerStack::create(new StreamHandler())]);
echo 'Guzzle streams ', $streams->get($url)->getStatusCode(), "\n";
echo 'Symfony ', (new CurlHttpClient($options))->request('GET', $url)->getStatusCode(), "\n";
echo 'Symfony streams ', (new NativeHttpClient($options))->request('GET', $url)->getStatusCode(), "\n";
