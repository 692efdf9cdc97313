#!/usr/bin/perl
# Crawls from each URL of a file with LWP::RobotUA of libwww-perl: robotua.pl AGENT SEEDS.
use strict;
use warnings;
use HTML::LinkExtor;
use LWP::RobotUA;

my ($agent, $seeds) = @ARGV;
my $ua = LWP::RobotUA->new(agent => "$agent/1.0", from => 'nobody@example.com');
$ua->delay(0);
$ua->timeout(3);
open my $file, '<', $seeds or die "$seeds: $!";
chomp(my @queue = <$file>);
my %known = map { $_ => 1 } @queue;
while (defined(my $url = shift @queue)) {
    my $answer = $ua->get($url);
    next unless $answer->is_success && $answer->content_type eq 'text/html';
    my $links = HTML::LinkExtor->new(undef, $answer->base);
    $links->parse($answer->decoded_content // '');
    for my $link ($links->links) {
        my ($tag, %attributes) = @$link;
        next unless $tag eq 'a' && $attributes{href};
        my $next = URI->new($attributes{href});
        $next->fragment(undef) if $next->can('fragment');
        push @queue, "$next" if $next =~ /^http/ && !$known{"$next"}++;
    }
}
