# The protocol, for adapters in Perl: JSON lines on standard input and output.
# Start at `serve`. This file contains no code for a particular peer.

package Protocol;

use strict;
use warnings;
use JSON::PP ();
use MIME::Base64 ();

# The robots.txt of a question, as octets.
sub octets { MIME::Base64::decode_base64($_[0]{robots_txt}) }

# The crawler's product token, for peers that take only one.
sub token {
    my ($question) = @_;
    my @tokens = @{$question->{crawler}};
    unsupported('this parser accepts one product token, not a list') if @tokens != 1;
    return $tokens[0];
}

# The answer to a verdict question.
sub verdict { { verdict => $_[0] ? 'allow' : 'disallow' } }

# Ends the question if the peer has no interface for it; the text gives the reason.
sub unsupported { die { unsupported => $_[0] } }

# Answers questions until standard input ends. The keys of `answers` are the kinds of question that the peer can
# answer. The function of a kind receives a question and returns the fields of the answer.
sub serve {
    my (%peer) = @_;
    my $answers = $peer{answers};
    my $json = JSON::PP->new->utf8->canonical;
    my $hello = {
        protocol => 1, name => $peer{name}, version => $peer{version}, language => 'perl',
        answers => [sort keys %$answers], editions => $peer{editions} // ['rfc9309'],
    };
    open my $out, '>&', \*STDOUT or die "standard output: $!";
    open STDOUT, '>&', \*STDERR or die "standard error: $!"; # A peer that prints must not break the protocol.
    binmode $_ for \*STDIN, $out;
    $out->autoflush(1);
    while (my $line = <STDIN>) {
        my $id;
        my $answer = eval {
            my $question = $json->decode($line);
            return $hello if $question->{ask} eq 'hello';
            $id = $question->{id};
            my $known = $answers->{$question->{ask}}
                // unsupported("no interface for $question->{ask} questions");
            { id => $id, %{$known->($question)} };
        } // { id => $id, ref $@ eq 'HASH' ? %{$@} : (error => "$@") };
        print $out $json->encode($answer), "\n";
    }
}

1;
